import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

const keptSchema = z.object({
  epoch: z.string(),
  g: z.number().int().nonnegative(),
  /** The hash of the event at `g`, hex; null before the first event. */
  hash: z.string().nullable(),
});
/**
 * The newest position that this installation has read, stored outside the database. If the head of a database is older, the
 * database was restored (rule T3).
 */
export type SavedPosition = z.infer<typeof keptSchema>;

export type PositionKeeper = {
  load(): Promise<SavedPosition | undefined>;
  /** Schedules a write; at most one in `everyMs`. */
  save(position: SavedPosition): void;
  /** Writes the pending position. */
  close(): Promise<void>;
};

/**
 * Stores the position in a file of the data folder.
 * @param onError called if the file cannot be written; the server continues, because only the detection of a restore suffers
 */
export function createPositionFile(
  file: string,
  onError: (error: unknown) => void,
  everyMs = 1_000,
): PositionKeeper {
  let waiting: SavedPosition | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const position = waiting;
    if (position === undefined) return;
    waiting = undefined;
    // Written to another file and renamed, so that a crash leaves the old file intact. The pid separates processes that share the
    // folder.
    const draft = `${file}.${process.pid}`;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, JSON.stringify(position));
    await rename(draft, file);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write).catch(onError);
    return writing;
  }

  return {
    async load() {
      try {
        return keptSchema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
      } catch {
        return undefined; // Never written, or not in this format: nothing to compare with.
      }
    },
    save(position) {
      waiting = position;
      timer ??= setTimeout(() => void flush(), everyMs).unref();
    },
    close: flush,
  };
}
