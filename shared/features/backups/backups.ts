/** Kinds of runs. A verification restores the newest backup as a test. */
export const BACKUP_RUN_KINDS = ['backup', 'verification'] as const;
export type BackupRunKind = (typeof BACKUP_RUN_KINDS)[number];

/** A finished run. Times are ISO, sizes bytes. */
export type BackupRun = {
  id: number;
  kind: BackupRunKind;
  startedAt: string;
  endedAt: string;
  /** The backup that was made or verified; null if none was. */
  backupId: string | null;
  rows: number;
  files: number;
  bytes: number;
  /** Number of files that are missing from the backup, because the installation had lost them. */
  lost: number;
  /** The reason of a failure; null if the run succeeded. */
  problem: string | null;
  /** It failed because stored objects are damaged or missing. */
  isDamaged: boolean;
};

/** Maximum number of runs in an answer: about two weeks, with verifications and some failures. */
export const BACKUP_RUNS_SHOWN = 20;

/** Answer of `backups.status`. */
export type BackupStatus = {
  /** Settings of scheduled backups; null: they are off. */
  settings: {
    to: string;
    /** Such as "01:30". */
    at: string;
    /** An age recipient; null: not encrypted. */
    encryptedTo: string | null;
    /** The public half of the key that signs them, base64. */
    publicKey: string;
  } | null;
  /** Problems as sentences. */
  problems: string[];
  /** The newest successful runs. */
  made: BackupRun | null;
  verified: BackupRun | null;
  /** The last runs, newest first. */
  runs: BackupRun[];
};
