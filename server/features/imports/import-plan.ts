import type { Queryable } from '#db/client.ts';
import { AppError } from '#shared/errors.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import type { Actor } from '../../access/actor.ts';
import type { Command } from '../../kernel/commands.ts';
import type { TellFault } from './row-readers.ts';

/**
 * Reports how many rows are stored.
 * @throws AppError `busy` if the disk has no room for more
 */
export type Progress = (done: number) => Promise<void>;

/** Rows per statement; few, so that building one does not block the event loop. */
export const WRITE_AT_ONCE = 100;
/** Keys looked up in one statement. */
export const READ_AT_ONCE = 500;

/** The secret of a link with which an imported person chooses a password. */
export type PersonLink = { email: string; firstName: string; lastName: string; token: string };

/** A row to look up, at a line of the file. */
export type RowToResolve<Row> = {
  row: Row;
  line: number;
  fault: TellFault;
  /** Call it for a row that is here already and is not stored. */
  here: () => void;
  /** Call it if the row will be stored differently from what the file says. */
  note: (text: string) => void;
};
/** The time of the lookup, and the columns of the file: cells of other columns are not compared. */
export type Lookup = {
  /** ISO, by the server's clock. */
  now: string;
  columns: ReadonlySet<string>;
};

/** Looks up and stores the rows of one kind of file. */
export type Importer<Row, Plan> = {
  /**
   * Looks the rows up together: whatever a row refers to must exist, and whatever it adds must not. If a row in use has the same
   * key and the same values, the row of the file is reported as here already. If a row in use has the same key but another value,
   * that is a fault.
   * @returns the rows to store, without those that are here already
   */
  resolve(db: Queryable, actor: Actor, rows: readonly RowToResolve<Row>[], lookup: Lookup): Promise<Plan>;
  /**
   * Stores all rows of a plan, which is not empty, and records the events.
   * @returns for a file of people, their links, which must not be part of a stored answer
   */
  write(command: Command, plan: Plan, progress: Progress): Promise<PersonLink[] | undefined>;
};

/** Splits a list into parts, in order. */
export function* parts<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

/** The error if a plan no longer matches the database. */
export function stalePlan(): AppError {
  return new AppError('conflict', { message: importMessages.outdated });
}

/** Returns a function that remembers at which line a key first occurred, and returns that line from then on. */
export function firstLines(): (key: string, line: number) => number | undefined {
  const lines = new Map<string, number>();
  return (key, line) => {
    const before = lines.get(key);
    if (before === undefined) lines.set(key, line);
    return before;
  };
}

/** A cell of the file, compared with the stored value. `here`: the stored value, which a fault quotes. */
export type Compared = { column: string; same: boolean; here: string };

/**
 * Returns a function that compares a row of the file with the stored rows that have its key. It reports the row as here
 * already, or a fault at each cell that differs. It returns false if no stored row is left to compare with: forms let
 * several rows share a key, so a file may have as many, and each stored row is matched once.
 */
export function matcher<Here extends object>(
  columns: ReadonlySet<string>,
): (
  row: Pick<RowToResolve<unknown>, 'fault' | 'here'>,
  withKey: readonly Here[],
  compare: (one: Here) => Compared[],
) => boolean {
  const matched = new Set<Here>();
  return ({ fault, here }, withKey, compare) => {
    const others = (one: Here) => compare(one).filter(({ column, same }) => !same && columns.has(column));
    let first: Here | undefined;
    for (const one of withKey) {
      if (matched.has(one)) continue;
      first ??= one;
      if (others(one).length > 0) continue;
      matched.add(one);
      here();
      return true;
    }
    if (first === undefined) return false;
    for (const { column, here: text } of others(first)) fault(column, importMessages.differs(text));
    return true;
  };
}

/** Whether a stored day agrees with a day of the file: it is the same, or later because work has followed. */
export function agreesWith(here: string | null, day: string | null): boolean {
  return day === null || (here !== null && day <= here);
}

/** Adds a row to the group of a key. */
export function addTo<Row>(groups: Map<string, Row[]>, key: string, row: Row): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [row]);
  else group.push(row);
}
