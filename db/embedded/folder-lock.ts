import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { EmbeddedPostgresError, USE_DATABASE_URL } from './embedded-error.ts';
import { isAlive, processStartTime } from './processes.ts';

const holderSchema = z.object({ pid: z.int().positive(), birth: z.string() });
type Holder = z.infer<typeof holderSchema>;

/**
 * Makes this process the owner of a folder until it releases the lock or ends. The lock of a process that has ended is
 * taken over.
 * @returns a function that releases the lock
 * @throws EmbeddedPostgresError if another running process holds it
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const path = join(folder, 'owner.lock');
  const me: Holder = { pid: process.pid, birth: processStartTime(process.pid) };
  const text = JSON.stringify(me);

  for (let attempt = 0; attempt < 40; attempt += 1) {
    if (create(path, text)) {
      return () => {
        if (readText(path) === text) rmSync(path, { force: true });
      };
    }
    const found = readText(path);
    const holder = parse(found);
    if (holder !== undefined && holds(holder)) throw inUse(folder, holder.pid);
    // An unreadable file may be a lock that is still being written, so it is read again for up to a second.
    if (holder !== undefined || attempt >= 20) takeAway(path, found);
    else await sleep(50);
  }
  throw new EmbeddedPostgresError(
    `The lock ${path} cannot be taken. Remove the file if no Lintel is running.`,
  );
}

function create(path: string, text: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, text);
    closeSync(file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a stale lock by renaming it first, so that of two concurrent processes only one gets the file. */
function takeAway(path: string, expected: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return; // Another process was faster.
  }
  // The renamed file may be the new lock of a faster process; then it is put back.
  if (readText(aside) === expected) rmSync(aside, { force: true });
  else renameSync(aside, path);
}

function holds(holder: Holder): boolean {
  return isAlive(holder.pid) && processStartTime(holder.pid) === holder.birth;
}

function inUse(folder: string, pid: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database in ${folder} is in use by another process of Lintel (process ${pid}). ` +
      'Stop that one first, or choose another folder with DATA_DIR. ' +
      'To run several processes on one database, give each of them the same DATABASE_URL; ' +
      `the running database's addresses are in ${join(folder, 'addresses.json')}.\n${USE_DATABASE_URL}`,
  );
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // Released at this moment.
  }
}

function parse(text: string): Holder | undefined {
  try {
    return holderSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // Not JSON: half written, or damaged.
  }
}
