import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isPublicKey, publicKeyOf, readSigningKey } from '#server/adapters/signing-key.ts';
import { BackupError } from '#server/features/backups/backup-error.ts';
import { canRecordRuns, type LastRuns, readLastRuns } from '#server/features/backups/backup-runs.ts';
import { backUp, outcomeOf, recorded } from '#server/features/backups/backups.jobs.ts';
import { decryptionWith } from '#server/features/backups/encryption.ts';
import type { Manifest } from '#server/features/backups/manifest.ts';
import type { Repository } from '#server/features/backups/parts.ts';
import { openRepository, repositoryName } from '#server/features/backups/repository.ts';
import { restoreBackup } from '#server/features/backups/restore-backup.ts';
import { listBackups, loadManifest, newestBackup } from '#server/features/backups/stored-backups.ts';
import { verifyBackup } from '#server/features/backups/verify-backup.ts';
import type { BackupRunKind } from '#shared/features/backups/backups.ts';
import { plural } from '#shared/text/plural.ts';
import type { Opened } from './installation.ts';
import { OperatorError } from './terminal.ts';

const OPTIONS = {
  id: { type: 'string' },
  key: { type: 'string' },
  'any-key': { type: 'boolean', default: false },
  identity: { type: 'string' },
  'skip-damaged': { type: 'boolean', default: false },
  new: { type: 'boolean', default: false },
} as const;
const NO_RUNS = { last: undefined, good: undefined };

/** `backup-key`: prints a new signing key and its public key. */
export function backupKey(): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  const text = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  console.log(`BACKUP_SIGNING_KEY=${text}`);
  console.log(`Public key, for "restore --key": ${publicKeyOf(privateKey)}`);
}

/** `backup [TO] [--new]`: makes a backup and applies the retention. `backup verify [FROM]`: restores the newest as a test. */
export async function backup(opened: Opened, args: string[]): Promise<boolean> {
  if (args[0] === 'verify') return verify(opened, args.slice(1));
  const { positionals, values } = parsed(args, ['new']);
  const to = repositoryIn(positionals);
  const isNew = values.new === true;
  const { env, databaseUrl, fileStores, stores } = opened;
  await withRecord(opened, 'backup', to, async (runs) => {
    const made = await backUp(
      { env, stores: fileStores, clock: stores.clock, db: stores.db },
      { databaseUrl, runs, isNew, ...(to !== undefined && { to }), log: say },
    );
    for (const id of made.deleted)
      say(`deleted the older backup ${id}: one is kept of each day, week and month`);
    if (made.lost !== undefined && made.lost > 0) {
      say(
        `${plural(made.lost, 'file')} that the installation has lost: "npm run admin -- doctor" lists them`,
      );
    }
    console.log(`Backup ${made.backupId} is complete.`);
    return made;
  });
  return true;
}

async function verify(opened: Opened, args: string[]): Promise<boolean> {
  const { positionals, values } = parsed(args, ['id', 'key', 'any-key', 'identity']);
  const from = repositoryIn(positionals);
  const { dataDir } = opened.env;
  // Verifying a particular backup, or one of another key, does not prove that the newest scheduled one can be restored.
  const counts = values.id === undefined && values.key === undefined && values['any-key'] !== true;
  await withRecord(opened, counts ? 'verification' : undefined, from, async () => {
    // Without its own key, an installation can only check that the backup is complete, not who made it.
    const isAnyKey = values['any-key'] === true || opened.env.backupSigningKey === undefined;
    const { repository, manifest } = await findBackup(opened, from, { ...values, 'any-key': isAnyKey });
    const onWait = () => say('Another verification is running. Waiting …');
    const restored = await verifyBackup(repository, manifest, {
      dataDir,
      databaseUrl: opened.databaseUrl,
      onWait,
    });
    console.log(
      restored
        ? `${describeBackup(manifest)} A test restore succeeded: rows, files and the event log are complete.`
        : `${describeBackup(manifest)} All objects are there. It is encrypted: a test restore needs "--identity FILE".`,
    );
    return outcomeOf(manifest);
  });
  return true;
}

/** `backups [FROM]`: lists the backups of a folder or bucket. */
export async function backups({ env }: Opened, args: string[]): Promise<boolean> {
  const from = repositoryIn(parsed(args, []).positionals) ?? env.backupTo;
  const all = await listBackups({ storage: openRepository(from, env) });
  for (const { id, manifest, problem } of all) {
    console.log(manifest === undefined ? `${id} ${problem}` : describeBackup(manifest));
  }
  if (all.length === 0) console.log('There are no backups.');
  return all.every(({ problem }) => problem === undefined);
}

/**
 * `restore FROM --key PUBLIC_KEY [--id ID] [--identity FILE] [--skip-damaged]`: restores a backup, by default the newest, into an
 * unused installation.
 */
export async function restore(opened: Opened, args: string[]): Promise<boolean> {
  if (opened.from === 'running') {
    throw new OperatorError('Lintel is running on this database. Stop it first.');
  }
  const { positionals, values } = parsed(args, ['id', 'key', 'any-key', 'identity', 'skip-damaged']);
  const { repository, manifest } = await findBackup(opened, repositoryIn(positionals), values);
  if (manifest.encryptedTo !== null && repository.cipher === undefined) {
    throw new OperatorError(
      `It is encrypted to ${manifest.encryptedTo}: --identity FILE names the file with its identity.`,
    );
  }
  console.log(`Restoring ${describeBackup(manifest)}`);
  const { ownerUrl, appRole, fileStores } = opened;
  const damaged = await restoreBackup({
    ownerUrl,
    appRole,
    repository,
    manifest,
    stores: fileStores,
    skipDamaged: values['skip-damaged'] === true,
    log: say,
  });
  for (const { key } of damaged) say(`without ${key}, which is damaged in the backup`);
  console.log('Restored. Everybody has to sign in again.');
  return true;
}

/**
 * Runs work, and records the run if it concerns the scheduled backups: if it uses the configured repository, or if no
 * repository is configured.
 * @param kind undefined if the run is not recorded
 */
async function withRecord(
  { stores, env }: Opened,
  kind: BackupRunKind | undefined,
  given: string | undefined,
  work: (runs: Record<BackupRunKind, LastRuns>) => Promise<ReturnType<typeof outcomeOf>>,
): Promise<void> {
  const to = given ?? env.backupTo;
  const records = to !== undefined && (await canRecordRuns(stores.db));
  const runs = records
    ? await readLastRuns(stores.db, repositoryName(to))
    : { backup: NO_RUNS, verification: NO_RUNS };
  const isConfigured = env.backupTo === undefined || (to !== undefined && isSame(to, env.backupTo));
  if (!records || kind === undefined || !isConfigured) {
    await work(runs);
    return;
  }
  const { error } = await recorded({ ...stores, env, log: QUIET }, kind, { to }, () => work(runs));
  if (error !== undefined) throw error;
}

function isSame(one: string, other: string): boolean {
  return repositoryName(one) === repositoryName(other);
}

type Values = { id?: string; key?: string; 'any-key'?: boolean; identity?: string };

/** Finds the backup that the arguments name, and opens its repository. */
async function findBackup(
  { env, stores }: Opened,
  from: string | undefined,
  values: Values,
): Promise<{ repository: Repository; manifest: Manifest }> {
  const storage = openRepository(from ?? env.backupTo, env);
  const own = env.backupSigningKey === undefined ? undefined : readSigningKey(env.backupSigningKey);
  const isAnyKey = values['any-key'] === true;
  if (values.key !== undefined && !isPublicKey(values.key)) {
    throw new OperatorError(
      '--key takes the public key that "backup-key" printed with the signing key. Lintel also shows it under Settings, Backups.',
    );
  }
  const key = values.key ?? (isAnyKey ? undefined : own && publicKeyOf(own));
  if (key === undefined && !isAnyKey) {
    throw new OperatorError(
      'Name the public key that signed the backup with --key, or set BACKUP_SIGNING_KEY. Without it, anyone with write access could have made the backup; --any-key accepts that.',
    );
  }
  const cipher = values.identity === undefined ? undefined : decryptionWith(...identitiesIn(values.identity));
  const manifest =
    values.id === undefined
      ? await newestBackup({ storage }, { expectedKey: key, now: stores.clock.now() })
      : await loadManifest({ storage }, values.id, key);
  // The identity is ignored for a backup that was made without encryption.
  return { repository: { storage, cipher: manifest.encryptedTo === null ? undefined : cipher }, manifest };
}

/** Reads the identities from a file that age-keygen wrote. */
function identitiesIn(path: string): string[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new OperatorError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  // Windows PowerShell redirects output as UTF-16 with a byte order mark.
  const text = bytes.readUInt16LE(0) === 0xfeff ? bytes.toString('utf16le') : bytes.toString('utf8');
  const found = text.match(/AGE-SECRET-KEY-1[0-9A-Z]+/gi) ?? [];
  if (found.length === 0) throw new OperatorError(`${path} contains no age identity.`);
  return found.map((identity) => identity.toUpperCase());
}

/** Parses the arguments of a command. @throws OperatorError if the command does not have one of the given options */
function parsed(args: string[], names: readonly (keyof typeof OPTIONS)[]) {
  try {
    const found = parseArgs({ args, allowPositionals: true, options: OPTIONS });
    const other = Object.keys(found.values).find(
      (name) => found.values[name as keyof typeof OPTIONS] !== false && !names.some((one) => one === name),
    );
    if (other !== undefined) throw new OperatorError(`This command has no --${other}.`);
    return found;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the repository in the arguments. A bare word is refused, so that a typo does not create a folder. */
function repositoryIn(positionals: readonly string[]): string | undefined {
  const [to, ...more] = positionals;
  if (to === undefined) return undefined;
  if (more.length > 0) throw new BackupError('Name one folder or bucket.');
  if (/[\\/]/.test(to)) return to;
  throw new BackupError(`"${to}" is neither a folder nor a bucket. Write a path (./${to}), or s3://${to}.`);
}

const QUIET = { info: () => undefined, error: () => undefined };

function say(line: string): void {
  console.log(`  ${line}`);
}

function describeBackup({ id, at, tables, files, version }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${id} of ${at}: ${plural(rows, 'row')} and ${plural(files.count, 'file')}, by version ${version}.`;
}
