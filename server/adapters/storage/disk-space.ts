import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageError } from './storage.ts';
import { undefinedIfMissing } from './undefined-if-missing.ts';

/**
 * Bytes that files leave free: the database and the log share the disk, and must be able to write when files fill it.
 * 256 MiB are sixteen segments of Postgres's write-ahead log.
 */
const FLOOR = 256 * 1024 * 1024;
/**
 * Free space that each use leaves on the database's disk, as a fraction of the floor. Postgres needs room for its
 * write-ahead log and checkpoints, and stops if it cannot write them.
 */
const LEAVES = { files: 1, changes: 1 / 2, records: 1 / 4 } as const;
export type DiskUse = keyof typeof LEAVES;

/** Multiple of the floor below which administrators are warned: 1 GiB, long before anything is refused. */
const LOW = 4;
/**
 * Bytes between two checks of the disk while a file is written. Files written at the same time get little below the floor.
 */
const LOOK_EVERY = 1024 * 1024;

export type DiskSpaceOptions = {
  floor?: number;
  /** Returns the free bytes of the disk; replaced in tests. */
  freeBytes?: () => Promise<number>;
};

/** Free space of a disk, and the part of it that files may use. */
export type DiskSpace = {
  /** Bytes that files must leave free. */
  readonly floor: number;
  /** Free bytes of the disk. */
  left(): Promise<number>;
  /** Returns whether an administrator should free some space. */
  isLow(): Promise<boolean>;
  /** Bytes that files may still use. */
  forFiles(): Promise<number>;
  /** Returns whether this use may still write: files and imports are refused first, records of checks last. */
  hasRoomFor(use: DiskUse): Promise<boolean>;
  /**
   * Begins to write a file.
   * @returns a function to call with the length of each chunk before it is written
   * @throws StorageError `full` if the floor is reached, now or at a later chunk
   */
  begin(): Promise<(bytes: number) => Promise<void>>;
};

/** @param root the folder of the files; it need not exist yet */
export function diskSpace(
  root: string,
  { floor = FLOOR, freeBytes = () => freeOn(root) }: DiskSpaceOptions = {},
): DiskSpace {
  const forFiles = async () => Math.max(0, (await freeBytes()) - floor);
  /** Returns how many bytes may be written before the next check. */
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

/** Measures the nearest existing folder, because the folder of the files is created with the first file. */
async function freeOn(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    undefinedIfMissing(error);
    return path === dirname(path) ? 0 : freeOn(dirname(path));
  }
}
