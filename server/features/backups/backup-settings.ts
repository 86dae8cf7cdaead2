import type { Env } from '../../kernel/env.ts';
import { EXIT_CONFIGURATION, StartRefused } from '../../kernel/start-refused.ts';
import { BackupError } from './backup-error.ts';
import type { Cipher } from './encryption.ts';
import { openRepository } from './repository.ts';

/**
 * Checks the settings of scheduled backups when the server starts, beyond what their schemas check: a mistake would
 * otherwise show only with the first backup.
 * @throws StartRefused
 */
export async function assertBackupSettings(env: Env): Promise<void> {
  await check('BACKUP_TO', () => env.backupTo !== undefined && openRepository(env.backupTo, env));
  await check('BACKUP_ENCRYPT_TO', () => configuredCipher(env));
}

/**
 * Returns the cipher that encrypts to the configured recipient. Its library is loaded only if one is configured, because it
 * takes memory and time.
 * @throws BackupError if it is not a valid recipient
 */
export async function configuredCipher({ backupEncryptTo }: Env): Promise<Cipher | undefined> {
  if (backupEncryptTo === undefined) return undefined;
  const { encryptionTo } = await import('./encryption.ts');
  return encryptionTo(backupEncryptTo);
}

async function check(name: string, use: () => unknown): Promise<void> {
  try {
    await use();
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    throw new StartRefused(EXIT_CONFIGURATION, `${name} cannot be used: ${error.message}`, { cause: error });
  }
}
