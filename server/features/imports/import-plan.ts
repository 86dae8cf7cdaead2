import type { Queryable } from '#db/client.ts';
import { AppError } from '#shared/errors.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import type { Actor } from '../../access/actor.ts';
import type { Command } from '../../kernel/commands.ts';
import type { TellFault } from './row-readers.ts';

/** Tells how many rows are stored so far. @throws AppError `busy` where there is no room for more */
export type Progress = (done: number) => Promise<void>;

/** Rows written in one statement: few enough that putting one together keeps nobody else waiting. */
export const WRITE_AT_ONCE = 100;

/** By what somebody who was imported chooses a password. */
export type PersonLink = { email: string; firstName: string; lastName: string; token: string };

/** How the rows of one kind of file are looked up and stored. */
export type Importer<Row, Plan> = {
  /** Looks the rows up together: what they name must be there, and what they add must not. */
  resolve(
    db: Queryable,
    actor: Actor,
    rows: readonly { row: Row; fault: TellFault; line: number }[],
  ): Promise<Plan>;
  /**
   * Stores everything and tells everybody.
   * @returns for people their links, which must be part of no answer that is kept
   */
  write(command: Command, plan: Plan, progress: Progress): Promise<PersonLink[] | undefined>;
};

/** Parts of a list, in order. */
export function* parts<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

/** What a plan is answered that no longer holds. */
export function stalePlan(): AppError {
  return new AppError('conflict', { message: importMessages.outdated });
}

/** Remembers under which line something was met first. */
export function firstLines(): (key: string, line: number) => number | undefined {
  const lines = new Map<string, number>();
  return (key, line) => {
    const before = lines.get(key);
    if (before === undefined) lines.set(key, line);
    return before;
  };
}
