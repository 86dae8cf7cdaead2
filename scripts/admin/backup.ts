import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { publicKeyOf, readSigningKey } from '#server/adapters/signing-key.ts';
import { backUp, recorded } from '#server/features/backups/backups.jobs.ts';
import { decryptionWith } from '#server/features/backups/encryption.ts';
import { BackupError, type Manifest } from '#server/features/backups/manifest.ts';
import type { Repository } from '#server/features/backups/parts.ts';
import { openRepository } from '#server/features/backups/repository.ts';
import { restoreBackup } from '#server/features/backups/restore-backup.ts';
import { listBackups, loadManifest } from '#server/features/backups/stored-backups.ts';
import { verifyBackup } from '#server/features/backups/verify-backup.ts';
import { plural } from '#shared/text/plural.ts';
import type { Opened } from './installation.ts';
import { OperatorError } from './terminal.ts';

/** `backup-key`: prints a new signing key and its public key. */
export function backupKey(): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  const text = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  console.log(`BACKUP_SIGNING_KEY=${text}`);
  console.log(`Public key, for "restore --key": ${publicKeyOf(privateKey)}`);
}

/** `backup [TO]`: makes a backup and applies the retention. `backup verify [FROM]`: restores the newest as a test. */
export async function backup(opened: Opened, args: string[]): Promise<boolean> {
  if (args[0] === 'verify') return verify(opened, args.slice(1));
  const [to] = args;
  const { env, databaseUrl, fileStores, stores } = opened;
  let failure: unknown;
  const work = async () => {
    const made = await backUp(
      { env, stores: fileStores, clock: stores.clock },
      { databaseUrl, ...(to !== undefined && { to }), log: say },
    ).catch((error: unknown) => {
      failure = error;
      throw error;
    });
    for (const id of made.deleted) say(`deleted ${id}`);
    console.log(`Backup ${made.backupId} is complete.`);
    return made;
  };
  // A backup to another repository is no evidence that scheduled ones work.
  if (to === undefined || env.backupTo === undefined || to === env.backupTo) {
    await recorded({ ...stores, log: QUIET }, 'backup', undefined, work);
  } else {
    await work();
  }
  if (failure !== undefined) throw failure;
  return true;
}

async function verify(opened: Opened, args: string[]): Promise<boolean> {
  const { repository, manifest } = await findBackup(opened, args);
  let failure: unknown;
  await recorded({ ...opened.stores, log: QUIET }, 'verification', undefined, async () => {
    try {
      const restored = await verifyBackup(repository, manifest, opened.env.dataDir);
      console.log(
        restored
          ? `${describeBackup(manifest)} A test restore succeeded: rows, files and the event log are complete.`
          : `${describeBackup(manifest)} All objects are there. It is encrypted: a test restore needs "--identity FILE".`,
      );
    } catch (error) {
      failure = error;
      throw error;
    }
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { backupId: manifest.id, rows, files: manifest.files.count, bytes: manifest.files.total };
  });
  if (failure !== undefined) throw failure;
  return true;
}

/** `backups [FROM]`: lists the backups of a folder or bucket. */
export async function backups({ env }: Opened, [from = env.backupTo]: string[]): Promise<boolean> {
  const all = await listBackups({ storage: openRepository(from, env) });
  for (const { id, manifest, problem } of all) {
    console.log(manifest === undefined ? `${id} ${problem}` : describeBackup(manifest));
  }
  if (all.length === 0) console.log('There are no backups.');
  return all.every(({ problem }) => problem === undefined);
}

/**
 * `restore FROM [--id ID] [--key PUBLIC_KEY] [--identity FILE]`: restores a backup, by default the newest, into an unused
 * installation.
 */
export async function restore(opened: Opened, args: string[]): Promise<boolean> {
  if (opened.from === 'running') {
    throw new OperatorError('Lintel is running on this database. Stop it first.');
  }
  const { repository, manifest } = await findBackup(opened, args);
  if (manifest.encryptedTo !== null && repository.cipher === undefined) {
    throw new OperatorError(
      `It is encrypted to ${manifest.encryptedTo}: --identity FILE names the file with its identity.`,
    );
  }
  const { ownerUrl, appRole, fileStores } = opened;
  await restoreBackup({ ownerUrl, appRole, repository, manifest, stores: fileStores, log: say });
  console.log(`Restored ${describeBackup(manifest)}\nEverybody has to sign in again.`);
  return true;
}

/** Finds the backup that the arguments name, and opens its repository. */
async function findBackup(
  { env }: Opened,
  args: string[],
): Promise<{ repository: Repository; manifest: Manifest }> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { id: { type: 'string' }, key: { type: 'string' }, identity: { type: 'string' } },
  });
  const storage = openRepository(positionals[0] ?? env.backupTo, env);
  const own = env.backupSigningKey === undefined ? undefined : readSigningKey(env.backupSigningKey);
  const key = values.key ?? (own && publicKeyOf(own));
  if (key === undefined) {
    console.log(
      'Without --key the signature is not checked: anyone with write access could have made this backup.',
    );
  }
  const cipher = values.identity === undefined ? undefined : decryptionWith(readIdentity(values.identity));
  const id = values.id ?? (await listBackups({ storage }))[0]?.id;
  if (id === undefined) throw new BackupError('There is no backup.');
  return { repository: { storage, cipher }, manifest: await loadManifest({ storage }, id, key) };
}

/** Reads the identity from a file that age-keygen wrote. */
function readIdentity(path: string): string {
  const lines = readFileSync(path, 'utf8').split('\n');
  const line = lines.find((one) => one.startsWith('AGE-SECRET-KEY-'));
  if (line === undefined) throw new OperatorError(`${path} contains no age identity.`);
  return line.trim();
}

const QUIET = { info: () => undefined, error: () => undefined };

function say(line: string): void {
  console.log(`  ${line}`);
}

function describeBackup({ id, at, tables, files, version }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${id} of ${at}: ${plural(rows, 'row')} and ${plural(files.count, 'file')}, by version ${version}.`;
}
