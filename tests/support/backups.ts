import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { loginOf } from '#db/migrate.ts';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import type { Storage } from '#server/adapters/storage/storage.ts';
import type { BackupOptions } from '#server/features/backups/backup-options.ts';
import type { ListedFile } from '#server/features/backups/file-list.ts';
import { type MadeBackup, makeBackup } from '#server/features/backups/make-backup.ts';
import type { Manifest } from '#server/features/backups/manifest.ts';
import type { Repository } from '#server/features/backups/parts.ts';
import { type RestoreOptions, restoreBackup } from '#server/features/backups/restore-backup.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from './postgres/database.ts';
import { withLogin } from './postgres/own-postgres.ts';
import { GENERAL_PLACE } from './rows/documents.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from './rows/factories.ts';
import { createTestClient } from './server/client.ts';
import { startTestServer, type TestServer } from './server/server.ts';
import { presignDocument, rawClient } from './uploads/uploads.ts';

/** Tables that a restore, or the next start of a server, changes. */
export const CHANGED_BY_RESTORE = [
  // API keys are revoked.
  'api_keys',
  // Webhooks are switched off.
  'webhooks',
  'sessions',
  'session_tokens',
  'external_sessions',
  'account_links',
  'setup_codes',
  'display_codes',
  'stream_head',
  'timed_jobs',
  'pulse_state',
];

/** Returns the rows of tables, as one string per table. */
export function rowsOf(
  ownerUrl: string,
  tables: readonly { name: string }[],
): Promise<Record<string, string>> {
  return withLogin(ownerUrl, async (sql) => {
    const all: Record<string, string> = {};
    for (const { name } of tables) {
      const [row] = await sql.unsafe<{ text: string }[]>(
        `select coalesce(string_agg(t::text, E'\\n' order by t::text), '') as text from public."${name}" t`,
      );
      all[name] = row?.text ?? '';
    }
    return all;
  });
}

/** Size of a part of a backup: small, so that the larger tables and files have several parts. */
export const PART_BYTES = 1_000;

/** An installation with a few rows, for tests that make backups of it. */
export type BackupSetting = {
  folder: string;
  database: TestDatabase;
  server: TestServer;
  admin: TestPerson;
  cookie: string;
  buildingId: string;
  signingKey: KeyObject;
  /** A repository in a folder of this name. */
  repositoryAt(name: string, cipher?: Repository['cipher']): Repository;
  /** Uploads a document to the building. */
  uploadDocument(name: string, bytes: Buffer): Promise<void>;
  /** Makes a backup. */
  backup(to: Repository, options?: Partial<BackupOptions>): Promise<MadeBackup>;
  close(): Promise<void>;
};

export async function createBackupSetting(): Promise<BackupSetting> {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-backup-'));
  const database = await createTestDatabase();
  const server = await startTestServer(database, { env: { dataDir: join(folder, 'data') } });
  const admin = await createPerson(server.services, { role: 'admin' });
  const { id: buildingId } = await createBuilding(server.services, { name: 'Harbour\tHouse\\n' });
  const cookie = await signInAs(server, admin);
  const { privateKey: signingKey } = generateKeyPairSync('ed25519');
  return {
    folder,
    database,
    server,
    admin,
    cookie,
    buildingId,
    signingKey,
    repositoryAt: (name, cipher) => ({
      storage: diskStorage(join(folder, name)),
      cipher,
      partBytes: PART_BYTES,
    }),
    async uploadDocument(name, bytes) {
      const input = { uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 1 };
      const address = await presignDocument(server.url, cookie, input, { name, bytes });
      expect((await rawClient(server.url, cookie).put(address, bytes)).status).toBe(200);
    },
    backup: (repository, options) =>
      makeBackup({
        databaseUrl: database.appUrl,
        installation: 'harbour',
        stores: server.services.stores,
        repository,
        signingKey,
        encryptedTo: null,
        version: '0.1.0',
        now: new Date(),
        ...options,
      }),
    async close() {
      await server.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Restores a backup into a database, with its files below `dataDir`. */
export function restoreInto(
  { ownerUrl, appUrl }: Pick<TestDatabase, 'ownerUrl' | 'appUrl'>,
  dataDir: string,
  { storage = diskStorage(join(dataDir, 'files')), ...options }: RestoreInput,
): Promise<ListedFile[]> {
  const stores = { preferred: 'disk', disk: { storage }, s3: undefined } as const;
  return restoreBackup({ ownerUrl, appRole: loginOf(appUrl), stores, ...options });
}
type RestoreInput = Pick<RestoreOptions, 'repository' | 'manifest' | 'migrations' | 'skipDamaged'> & {
  storage?: Storage;
};

/** Restores into a database of its own, and runs a server on it. */
export async function withRestored(
  { folder }: Pick<BackupSetting, 'folder'>,
  input: { repository: Repository; manifest: Manifest; skipDamaged?: boolean },
  look: (other: { server: TestServer; database: TestDatabase; damaged: ListedFile[] }) => Promise<void>,
): Promise<void> {
  const other = await createTestDatabase();
  const dataDir = await mkdtemp(join(folder, 'restored-'));
  try {
    const damaged = await restoreInto(other, dataDir, input);
    const server = await startTestServer(other, { env: { dataDir } });
    try {
      await look({ server, database: other, damaged });
    } finally {
      await server.stop();
    }
  } finally {
    await other.drop();
  }
}

/** Downloads a document of the building by its name. */
export async function downloadDocument(
  { admin, buildingId }: Pick<BackupSetting, 'admin' | 'buildingId'>,
  from: TestServer,
  name: string,
): Promise<{ status: number; bytes: Buffer }> {
  const cookie = await signInAs(from, admin);
  const client = createTestClient(from.url, cookie);
  const documents = (await client.documents.list.query({ buildingId, place: GENERAL_PLACE })).data.rows;
  const document = documents.find(({ fileName }) => fileName === name);
  const { url } = await client.documents.link.query({ id: document?.id ?? '', as: 'download' });
  const file = await fetch(new URL(url, from.url), { headers: { cookie } });
  return { status: file.status, bytes: Buffer.from(await file.arrayBuffer()) };
}
