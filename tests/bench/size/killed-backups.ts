import { createHash, generateKeyPairSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ISql } from 'postgres';
import { connect } from '#db/client.ts';
import { publicKeyOf } from '#server/adapters/signing-key.ts';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import { readFileList } from '#server/features/backups/file-list.ts';
import type { Manifest } from '#server/features/backups/manifest.ts';
import { restoreBackup } from '#server/features/backups/restore-backup.ts';
import { listBackups, pruneBackups } from '#server/features/backups/stored-backups.ts';
import { DAY_MS } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { pause } from '#tests/support/pace.ts';
import { dropDatabase } from '#tests/support/postgres/drop-database.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { type Random, seededRandom } from '#tests/support/random.ts';
import { GENERAL_PLACE } from '#tests/support/rows/documents.ts';
import {
  type Building,
  createBuildings,
  createIssueRows,
  createPeople,
} from '#tests/support/rows/population.ts';
import { startChild } from '#tests/support/server/child.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { presignDocument, rawClient } from '#tests/support/uploads/uploads.ts';
import { type Figure, median, round } from '../figure.ts';
import type { BackupMakerHandlers } from '../processes/backup-maker.ts';
import { startBuilt } from '../processes/built-server.ts';
import type { Setting } from '../setting.ts';

const ATTEMPTS = 200;
/** This share of the backups is killed, at a random time up to this multiple of the time of a whole backup. */
const SHARE_KILLED = 0.6;
const KILLED_WITHIN = 1.2;
const ISSUES = 5_000;
const WRITERS = 4;
/** Pause between the saves of a writer, so that no limit per person interferes. */
const WRITE_EVERY_MS = 150;
/** Tables that a restore changes; instead of the tables of files, the bytes of the files are compared. */
const CHANGED = [
  'sessions',
  'session_tokens',
  'account_links',
  'stream_head',
  'timed_jobs',
  'stored_files',
  'stored_file_parts',
];

/**
 * Backups while people save, by a process that is killed at random: each backup that has a manifest is restored, and
 * compared row for row with the snapshot that it was made from, and byte for byte with the files that the snapshot names.
 */
export async function killedBackups(setting: Setting): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-killed-backups-'));
  setting.after(() => rm(folder, { recursive: true, force: true }));
  const { privateKey } = generateKeyPairSync('ed25519');
  const signingKey = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  const publicKey = publicKeyOf(privateKey);
  const random = seededRandom('killed backups');
  const database = await setting.database('killed_backups');
  const { building, cookies } = await withLogin(database.ownerUrl, async (sql) => {
    const [made] = await createBuildings(sql, 1);
    if (made === undefined) throw new Error('there is no building');
    await createIssueRows(sql, made, ISSUES);
    const people = Array.from({ length: WRITERS }, () => ({ role: 'admin' as const, buildings: [] }));
    return { building: made, cookies: (await createPeople(sql, people)).map(({ cookie }) => cookie) };
  });
  const built = await startBuilt(setting, database);
  const writing = startWriters(built.url, building, cookies, random.fork('writers'));
  setting.after(writing.stop);

  const to = join(folder, 'backups');
  const storage = diskStorage(to);
  const known = new Set<string>();
  const times: number[] = [];
  let killed = 0;
  let complete = 0;
  let unequal = 0;
  let files = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const source = connect(database.ownerUrl, { max: 1, statementTimeoutMs: 0, idleInTransactionMs: 0 });
    const connection = await source.sql.reserve();
    const maker = startChild<BackupMakerHandlers>(new URL('../processes/backup-maker.ts', import.meta.url));
    try {
      await connection`begin isolation level repeatable read, read only`;
      const [exported] = await connection<{ snapshot: string }[]>`select pg_export_snapshot() as snapshot`;
      await maker.ask('ready', undefined);
      const start = performance.now();
      const input = { databaseUrl: database.appUrl, dataDir: built.dataDir, to, signingKey };
      const making = maker.ask('make', { ...input, snapshot: exported?.snapshot ?? '' }).then(
        () => times.push(performance.now() - start),
        () => undefined,
      );
      // The first backup is not killed, because it shows how long a backup takes.
      if (attempt > 0 && random.chance(SHARE_KILLED)) {
        const killAt = pause(median(times) * KILLED_WITHIN * random.next());
        if ((await Promise.race([making, killAt.then(() => 'kill')])) === 'kill') killed += 1;
        await maker.kill();
      }
      await making;
      for (const { id, manifest, problem } of await listBackups({ storage }, publicKey)) {
        if (known.has(id)) continue;
        known.add(id);
        complete += 1;
        if (manifest === undefined) throw new Error(`${id}: ${problem}`);
        const rows = await hashesOf(connection, manifest);
        const named = await filesOf(connection);
        const found = await restored(setting, folder, { storage, manifest });
        const isEqual =
          JSON.stringify(rows) === JSON.stringify(found.rows) &&
          named.every(({ key, sha256 }) => found.files.get(key) === sha256);
        files = named.length;
        if (isEqual) continue;
        unequal += 1;
        setting.log(`${id} is not what it was made from`);
      }
      await connection`commit`;
    } finally {
      await maker.kill();
      connection.release();
      await source.close();
    }
    if (attempt % 20 === 19) setting.log(`${attempt + 1} attempts, ${complete} complete, ${unequal} unequal`);
  }
  const saved = await writing.stop();
  // After pruning three days later, the remains of killed backups are gone, and the newest backup can still be restored.
  const key = { storage, cipher: undefined };
  await pruneBackups(key, { publicKey, installation: 'bench' }, new Date(Date.now() + 3 * DAY_MS));
  const left = await listBackups({ storage }, publicKey);
  const [newest] = left;
  if (newest?.manifest === undefined) throw new Error('the newest backup is gone');
  await restored(setting, folder, { storage, manifest: newest.manifest });
  return [
    {
      name: `${ATTEMPTS} backups beside saves, killed at random`,
      measured: `${killed} killed, ${complete} complete, restored and compared; ${unequal} unequal`,
      reference: `the snapshot of each: at last ${files} files; ${saved} saves meanwhile`,
      value: unequal,
      unit: 'unequal',
      goal: { atMost: 0 },
      note: `a whole one took ${round(median(times))} ms (median); kept after the last: ${left.length}`,
    },
  ];
}

/** Saves issues, comments and documents, and puts documents into the bin, until it is stopped. */
function startWriters(url: string, building: Building, cookies: readonly string[], random: Random) {
  let isOver = false;
  let saved = 0;
  const write = async (cookie: string) => {
    const client = createTestClient(url, cookie);
    const issues: string[] = [];
    const documents: string[] = [];
    while (!isOver) {
      const what = random.weighted({ issue: 6, comment: 8, document: 1, bin: 0.5 });
      if (what === 'issue' || (what === 'comment' && issues.length === 0)) {
        const id = uuidv7();
        const title = `Leak ${saved}\t\\N`;
        await client.issues.create.mutate({ operationId: uuidv7(), id, buildingId: building.id, title });
        issues.push(id);
      } else if (what === 'comment') {
        const body = `Seen\nagain ${saved}`;
        await client.issues.comment.mutate({
          operationId: uuidv7(),
          id: uuidv7(),
          issueId: random.pick(issues),
          body,
        });
      } else if (what === 'document' || documents.length === 0) {
        const uploadId = uuidv7();
        const bytes = random.bytes(1 + random.below(20_000));
        const input = { uploadId, buildingId: building.id, place: GENERAL_PLACE, lastModified: 1 };
        const address = await presignDocument(url, cookie, input, { name: `${uploadId}.bin`, bytes });
        const { status } = await rawClient(url, cookie).put(address, bytes);
        if (status === 200) documents.push(uploadId);
      } else {
        const ids = documents.splice(random.below(documents.length), 1);
        await client.documents.remove.mutate({ operationId: uuidv7(), buildingId: building.id, ids });
      }
      saved += 1;
      await pause(WRITE_EVERY_MS);
    }
  };
  const all = Promise.all(cookies.map(write));
  return {
    /** @returns how many saves there were */
    async stop(): Promise<number> {
      isOver = true;
      await all;
      return saved;
    },
  };
}

/** A hash of each table of the manifest, as the connection sees the table. */
async function hashesOf(sql: ISql, { tables }: Manifest): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    if (CHANGED.includes(name)) continue;
    const [row] = await sql.unsafe<{ hash: string }[]>(
      `select count(*) || ' ' || coalesce(md5(string_agg(h, '' order by h)), '') as hash
       from (select md5(t::text) as h from public."${name}" t) rows`,
    );
    hashes[name] = row?.hash ?? '';
  }
  return hashes;
}

async function filesOf(sql: ISql): Promise<{ key: string; sha256: string }[]> {
  const rows = await sql<{ key: string; sha256: string }[]>`
    select key, sha256 from stored_files where state = 'stored' order by key`;
  return [...rows];
}

/** Restores a backup into a database and a folder of its own, and returns hashes of their content. */
async function restored(
  setting: Setting,
  folder: string,
  { storage, manifest }: { storage: ReturnType<typeof diskStorage>; manifest: Manifest },
): Promise<{ rows: Record<string, string>; files: Map<string, string> }> {
  const { name, ownerUrl } = await setting.database('restored');
  const to = await mkdtemp(join(folder, 'restored-'));
  const stores = {
    preferred: 'disk',
    disk: { storage: diskStorage(to) },
    s3: undefined,
  } as const;
  const repository = { storage, cipher: undefined };
  try {
    await restoreBackup({ ownerUrl, appRole: undefined, repository, manifest, stores });
    const files = new Map<string, string>();
    for (const { key } of await readFileList(repository, manifest))
      files.set(key, await hashOfFile(join(to, ...key.split('/'))));
    return { rows: await withLogin(ownerUrl, (sql) => hashesOf(sql, manifest)), files };
  } finally {
    const home = new URL(ownerUrl);
    home.pathname = '/lintel';
    await withLogin(home.href, (sql) => dropDatabase(sql, name));
    await rm(to, { recursive: true, force: true });
  }
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}
