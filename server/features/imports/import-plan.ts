import type { Queryable } from '#db/client.ts';
import { AppError } from '#shared/errors.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
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

/** The secret of a link with which an imported person chooses a password. */
export type PersonLink = { email: string; firstName: string; lastName: string; token: string };

/** Looks up and stores the rows of one kind of file. */
export type Importer<Row, Plan> = {
  /**
   * Looks the rows up together: what they refer to must exist, what they add must not.
   * @param now ISO, by the server's clock
   */
  resolve(
    db: Queryable,
    actor: Actor,
    rows: readonly { row: Row; fault: TellFault; line: number }[],
    now: string,
  ): Promise<Plan>;
  /**
   * Stores all rows and records the events.
   * @returns for people their links, which must not be part of a stored answer
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
