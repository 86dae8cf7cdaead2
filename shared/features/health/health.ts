/** Something that is wrong with the installation, and what to do about it. */
export type HealthProblem = { title: string; text: string };

/** Answer of `health.status`. Times are ISO, sizes bytes. */
export type HealthStatus = {
  /** The version that runs, and since when. */
  version: string;
  startedAt: string;
  /** The address under which people reach it; null if it is not set. */
  publicUrl: string | null;
  /** `isOwn`: the embedded Postgres. */
  database: { version: string; isOwn: boolean; bytes: number; events: number };
  /** Free space of the disk with the files. */
  diskFree: number;
  /** The sender of mail; null if mail is not set up. */
  mailFrom: string | null;
  /** When timed jobs last ran; null before the first run. */
  jobsRanAt: string | null;
  problems: HealthProblem[];
};
