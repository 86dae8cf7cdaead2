/** What runs: a backup is made, or the newest one is verified by restoring it. */
export const BACKUP_RUN_KINDS = ['backup', 'verification'] as const;
export type BackupRunKind = (typeof BACKUP_RUN_KINDS)[number];

/** A run that has ended, well or not. Times are ISO, sizes bytes. */
export type BackupRun = {
  id: string;
  kind: BackupRunKind;
  startedAt: string;
  endedAt: string;
  /** The backup that was made or verified; null if none was. */
  backupId: string | null;
  rows: number;
  files: number;
  bytes: number;
  /** Why it failed; null if it did not. */
  problem: string | null;
};

/** The most runs in an answer: two weeks of daily ones with the weekly verifications, and some failures. */
export const BACKUP_RUNS_SHOWN = 20;

/** Answer of `backups.status`. */
export type BackupStatus = {
  /** How backups are made by themselves; null: they are not. */
  settings: {
    to: string;
    /** Such as "01:30". */
    at: string;
    /** A recipient of age; null: they are not encrypted. */
    encryptedTo: string | null;
    /** The public half of the key that signs them, base64. */
    publicKey: string;
  } | null;
  /** What is wrong, in sentences. */
  problems: string[];
  /** The newest good ones. */
  made: BackupRun | null;
  verified: BackupRun | null;
  /** The newest runs first. */
  runs: BackupRun[];
};
