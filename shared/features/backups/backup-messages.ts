/** Sentences about backups. */
export const backupMessages = {
  failed: (problem: string) => `The last backup failed: ${problem}`,
  old: (days: number) => `The last backup is ${days} days old.`,
  notVerified: (problem: string) => `The last backup could not be restored as a test: ${problem}`,
  longUnverified: (days: number) => `No backup has been verified for ${days} days.`,

  title: 'Backups',
  fetchFailed: 'The state of the backups could not be read',
  well: 'Backups are made daily and verified weekly.',
  waiting: 'The first backup is being made.',
  notMade: 'No backups are made by themselves.',
  notMadeText:
    'Set BACKUP_TO (a folder on another disk, or a bucket) and BACKUP_SIGNING_KEY where the server runs, then restart it. "npm run admin -- backup-key" makes the key.',
  to: 'Kept in',
  at: 'Made daily at',
  encryption: 'Encrypted to',
  notEncrypted: 'Nobody: whoever can read the place can read the backups',
  publicKey: 'Signed by',
  publicKeyText: 'Keep this key elsewhere, too: a restore knows its own backups by it.',
  lastMade: 'Last made',
  lastVerified: 'Last verified',
  never: 'Never',
  runs: 'Runs',
  noRuns: 'None yet.',
  kinds: { backup: 'Backup', verification: 'Verification' },
  ended: 'Done',
  endedBadly: 'Failed',
} as const;
