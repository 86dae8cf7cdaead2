import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

const keptSchema = z.object({
  epoch: z.string(),
  g: z.number().int().nonnegative(),
  /** Of the event at `g`, hex; null at the very beginning. */
  hash: z.string().nullable(),
});
/** How far this installation has got, kept outside the database: one that is behind it was restored (rule T3). */
export type KeptPosition = z.infer<typeof keptSchema>;

export type PositionKeeper = {
  load(): Promise<KeptPosition | undefined>;
  /** Written soon, not more than once in `everyMs`. */
  save(position: KeptPosition): void;
  /** Writes what is still waiting. */
  close(): Promise<void>;
};

/**
 * Keeps the position in a file of the data folder.
 * @param onError what cannot be written is no reason to stop: the check is only weaker then
 */
export function createPositionKeeper(
  file: string,
  onError: (error: unknown) => void,
  everyMs = 1_000,
): PositionKeeper {
  let waiting: KeptPosition | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const position = waiting;
    if (position === undefined) return;
    waiting = undefined;
    // Renamed, so that a crash leaves the old position and not half of one. Other processes may share the folder.
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
        return undefined; // Never written, or not by us: there is nothing to compare with.
      }
    },
    save(position) {
      waiting = position;
      timer ??= setTimeout(() => void flush(), everyMs).unref();
    },
    close: flush,
  };
}
