import { plural } from '../../text/plural.ts';

/** Sentences about backups. */
export const backupMessages = {
  failed: (problem: string) => `The last backup failed: ${problem}`,
  noneMade: 'No backup has been made for more than two days.',
  ahead: 'The last backup is dated in the future, by a clock that was wrong.',
  lost: (files: number) =>
    `The last backup is without ${plural(files, 'file')} that the server has lost. "npm run admin -- doctor" lists them.`,
  old: (days: number) => `The last backup is ${days} days old.`,
  notVerified: (problem: string) => `The last backup could not be restored as a test: ${problem}`,
  longUnverified: (days: number) => `No backup has been verified for ${days} days.`,

  title: 'Backups',
  fetchFailed: 'The state of the backups could not be read',
  well: 'Backups are made daily and verified weekly.',
  waiting: 'The first backup is being made.',
  notMade: 'Scheduled backups are off.',
  notMadeText:
    'Set BACKUP_TO (a folder on another disk, or a bucket) and BACKUP_SIGNING_KEY where the server runs, then restart it. "npm run admin -- backup-key" makes the key.',
  to: 'Kept in',
  at: 'Daily at',
  encryption: 'Encrypted to',
  notEncrypted: 'No: read access to the folder or bucket is access to the data',
  publicKey: 'Signed by',
  publicKeyText: 'Keep a copy of this key elsewhere: a restore uses it to recognise your own backups.',
  lastMade: 'Last made',
  lastVerified: 'Last verified',
  never: 'Never',
  runs: 'Runs',
  noRuns: 'None yet.',
  kinds: { backup: 'Backup', verification: 'Verification' },
  ended: 'Done',
  endedBadly: 'Failed',
} as const;
