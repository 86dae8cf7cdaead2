import type { Env } from '../../kernel/env.ts';
import { EXIT_CONFIGURATION, StartRefused } from '../../kernel/start-refused.ts';
import { BackupError } from './backup-error.ts';
import { encryptionTo } from './encryption.ts';
import { openRepository } from './repository.ts';

/**
 * Checks the settings of scheduled backups when the server starts, beyond what their schemas check: a mistake would
 * otherwise show only with the first backup.
 * @throws StartRefused
 */
export function assertBackupSettings(env: Env): void {
  check('BACKUP_TO', () => env.backupTo !== undefined && openRepository(env.backupTo, env));
  check('BACKUP_ENCRYPT_TO', () => env.backupEncryptTo !== undefined && encryptionTo(env.backupEncryptTo));
}

function check(name: string, use: () => unknown): void {
  try {
    use();
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    throw new StartRefused(EXIT_CONFIGURATION, `${name} cannot be used: ${error.message}`, { cause: error });
  }
}
