// Commands for the operator at the terminal of the server's machine. They work whether or not the server is running.
//
//   npm run admin -- create-admin     creates an administrator, or makes an existing person one
//   npm run admin -- reset-password   sets a new password for a person, who is signed out everywhere
//   npm run admin -- reset-second-factor   turns 2-step verification off for a person who has lost the phone
//   npm run admin -- doctor           prints configuration and state, with everything that is wrong
//   npm run admin -- verify           checks that nothing in the event log was changed
//   npm run admin -- backup-key       prints a new signing key for backups
//   npm run admin -- backup           makes a backup; "backup verify" restores the newest as a test
//   npm run admin -- backups          lists the backups
//   npm run admin -- restore          restores a backup into an unused installation
import { EmbeddedPostgresError } from '#db/embedded/embedded-error.ts';
import { OlderDatabaseError } from '#db/run-migrations.ts';
import { StorageError } from '#server/adapters/storage/storage.ts';
import { BackupError } from '#server/features/backups/backup-error.ts';
import { describeProblem } from '#server/features/backups/backup-runs.ts';
import { EnvError, readEnv } from '#server/kernel/env.ts';
import { AppError } from '#shared/errors.ts';
import { backup, backupKey, backups, restore } from './admin/backup.ts';
import { doctor } from './admin/doctor.ts';
import { type Opened, openInstallation } from './admin/installation.ts';
import { createAdmin, resetPasswordOf, resetSecondFactorOf } from './admin/people.ts';
import { OperatorError } from './admin/terminal.ts';
import { verify } from './admin/verify.ts';

const EXIT_USAGE = 64;

/** A command of the operator. `run` returns whether all is well. */
type AdminCommand = { run(installation: Opened, args: string[]): Promise<boolean>; changes: boolean };

const COMMANDS: Readonly<Record<string, AdminCommand>> = {
  'create-admin': { run: createAdmin, changes: true },
  'reset-password': { run: resetPasswordOf, changes: true },
  'reset-second-factor': { run: resetSecondFactorOf, changes: true },
  doctor: { run: doctor, changes: false },
  verify: { run: verify, changes: false },
  // Does not migrate the tables, so that it can be run before an upgrade.
  backup: { run: backup, changes: false },
  backups: { run: backups, changes: false },
  // Creates the tables itself, in the version of the backup.
  restore: { run: restore, changes: false },
};

const [name = '', ...args] = process.argv.slice(2);
// This command needs no installation.
if (name === 'backup-key') {
  backupKey();
  process.exit(0);
}
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command === undefined) {
  console.error(
    `Usage: npm run admin -- <command>\nCommands: backup-key, ${Object.keys(COMMANDS).join(', ')}`,
  );
  process.exit(EXIT_USAGE);
}

let installation: Opened | undefined;
try {
  installation = await openInstallation(readEnv(process.env), { migrates: command.changes });
  process.exitCode = (await command.run(installation, args)) ? 0 : 1;
} catch (error) {
  console.error(sentenceFor(error));
  process.exitCode = 1;
} finally {
  await installation?.close();
}

function sentenceFor(error: unknown): unknown {
  if (error instanceof OperatorError || error instanceof EmbeddedPostgresError) return error.message;
  if (error instanceof EnvError) return error.message;
  if (error instanceof BackupError || error instanceof StorageError) return describeProblem(error);
  if (error instanceof OlderDatabaseError) return `The database cannot be used: ${error.message}`;
  if (error instanceof AppError && error.code === 'invalid') {
    const { fields } = (error as AppError<'invalid'>).data ?? { fields: {} };
    return Object.values(fields).join('\n');
  }
  // System errors (such as a folder without write permission) and database errors are clear without a stack trace.
  if (error instanceof Error && ('syscall' in error || error.name === 'PostgresError')) return error.message;
  return error;
}
