import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageError } from './storage.ts';
import { undefinedIfMissing } from './undefined-if-missing.ts';

/**
 * The floor that files leave free, in bytes: the database and the log live on the same disk, and must go on when files
 * fill it. 256 MiB are sixteen segments of Postgres's write-ahead log.
 */
const FLOOR = 256 * 1024 * 1024;
/**
 * Where the database is on the same disk: what each use leaves free, as a part of the floor. Postgres needs some for
 * its write-ahead log and its checkpoints, and ends at once, for everybody, where it cannot write them.
 */
const LEAVES = { files: 1, changes: 1 / 2, records: 1 / 4 } as const;
export type DiskUse = keyof typeof LEAVES;

/** Administrators are told from here on, in multiples of the floor: a gigabyte, before anything is refused. */
const LOW = 4;
/** While a file is written the disk is looked at this often, in bytes. Few files at once stay far below the floor. */
const LOOK_EVERY = 1024 * 1024;

export type DiskSpaceOptions = {
  floor?: number;
  /** What the disk has left, in bytes; tests put their own in its place. */
  freeBytes?: () => Promise<number>;
};

/** What is left of a disk, and how much of that files may fill. */
export type DiskSpace = {
  /** Bytes that files must leave free. */
  readonly floor: number;
  /** Bytes that the disk has left in all. */
  left(): Promise<number>;
  /** Whether those who look after the server should make room. */
  isLow(): Promise<boolean>;
  /** Bytes that files may still fill. */
  forFiles(): Promise<number>;
  /** Whether more may be written of this: files and imports stop first, records of checks last. */
  hasRoomFor(use: DiskUse): Promise<boolean>;
  /**
   * Begins a file.
   * @returns what is to be called with the length of each piece before it is written
   * @throws StorageError `full` where the floor is reached, now or at a later piece
   */
  begin(): Promise<(bytes: number) => Promise<void>>;
};

/** @param root the folder of the files; it need not be there yet */
export function diskSpace(
  root: string,
  { floor = FLOOR, freeBytes = () => freeOn(root) }: DiskSpaceOptions = {},
): DiskSpace {
  const forFiles = async () => Math.max(0, (await freeBytes()) - floor);
  /** How much may be written until the next look. */
  const look = async () => {
    const free = await forFiles();
    if (free === 0) throw new StorageError('full');
    return Math.min(free, LOOK_EVERY);
  };
  return {
    floor,
    left: freeBytes,
    isLow: async () => (await freeBytes()) < LOW * floor,
    forFiles,
    hasRoomFor: async (use) => (await freeBytes()) > LEAVES[use] * floor,
    async begin() {
      let room = await look();
      return async (bytes) => {
        if (bytes > room) room = await look();
        if (bytes > room) throw new StorageError('full');
        room -= bytes;
      };
    },
  };
}

/** Of the nearest folder that is there: the files' own is made with the first file. */
async function freeOn(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    undefinedIfMissing(error);
    return path === dirname(path) ? 0 : freeOn(dirname(path));
  }
}
