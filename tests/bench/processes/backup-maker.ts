import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import { makeBackup } from '#server/features/backups/make-backup.ts';
import { restoreBackup } from '#server/features/backups/restore-backup.ts';
import { newestBackup } from '#server/features/backups/stored-backups.ts';
import { type Handlers, serve } from '#tests/support/server/child.ts';

// Makes and restores backups in a process of its own, so that it can be killed, and so that its heap contains nothing else.

function storesIn(dataDir: string) {
  return {
    preferred: 'disk',
    disk: { storage: diskStorage(join(dataDir, 'files')) },
    s3: undefined,
  } as const;
}

const handlers = {
  /** Answers once the process is loaded. */
  ready: () => undefined,
  /** @returns the id of the backup once it is complete */
  async make(input: {
    databaseUrl: string;
    dataDir: string;
    to: string;
    /** Ed25519, PKCS #8, base64. */
    signingKey: string;
    snapshot?: string;
  }) {
    const { manifest, newFiles, newBytes } = await makeBackup({
      databaseUrl: input.databaseUrl,
      installation: 'bench',
      stores: storesIn(input.dataDir),
      repository: { storage: diskStorage(input.to), cipher: undefined },
      encryptedTo: null,
      signingKey: createPrivateKey({
        key: Buffer.from(input.signingKey, 'base64'),
        type: 'pkcs8',
        format: 'der',
      }),
      version: '0.1.0',
      now: new Date(),
      ...(input.snapshot !== undefined && { snapshot: input.snapshot }),
    });
    return { id: manifest.id, newFiles, newBytes };
  },
  /** Restores the newest backup into an empty database and `dataDir`. @returns its rows and the bytes of its files */
  async restore(input: { ownerUrl: string; dataDir: string; from: string }) {
    const repository = { storage: diskStorage(input.from), cipher: undefined };
    const manifest = await newestBackup(repository, { expectedKey: undefined, now: new Date() });
    await restoreBackup({
      ownerUrl: input.ownerUrl,
      appRole: undefined,
      repository,
      manifest,
      stores: storesIn(input.dataDir),
    });
    return {
      rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
      bytes: manifest.files.total,
    };
  },
} satisfies Handlers;

export type BackupMakerHandlers = typeof handlers;
serve(handlers);
