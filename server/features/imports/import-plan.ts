import type { z } from 'zod';
import type { Queryable } from '#db/client.ts';
import { AppError } from '#shared/errors.ts';
import { importMessages } from '#shared/features/imports-messages.ts';
import type { Command } from '../../commands.ts';
import type { Actor } from '../../context.ts';
import type { Record } from './read-csv.ts';

/** Tells how many rows are stored so far. @throws AppError `busy` where there is no room for more */
export type Progress = (done: number) => Promise<void>;

/** Rows written in one statement: few enough that putting one together keeps nobody else waiting. */
export const WRITE_AT_ONCE = 100;

/** By what somebody who was imported chooses a password. */
export type PersonLink = { email: string; firstName: string; lastName: string; token: string };

/** How one kind of file is looked at and stored. */
export type Importer<Row, Plan> = {
  /** What a row says by itself; the faults go where they belong. Needs no database. */
  read(record: Record, fault: (column: string | null, text: string) => void): Row | undefined;
  /** Looks the rows up together: what they name must be there, and what they add must not. */
  resolve(
    db: Queryable,
    actor: Actor,
    rows: readonly { row: Row; fault: (column: string | null, text: string) => void; line: number }[],
  ): Promise<Plan>;
  /**
   * Stores everything and tells everybody.
   * @returns for people their links, which must be part of no answer that is kept
   */
  write(command: Command, plan: Plan, progress: Progress): Promise<PersonLink[] | undefined>;
};

/** The value if a schema takes it; what is wrong goes to the column. */
export function take<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  column: string,
  fault: (column: string, text: string) => void,
): z.output<Schema> | undefined {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  fault(column, result.error.issues[0]?.message ?? '');
  return undefined;
}

/** One of a list of words, by its value or by its label, in any case. */
export function oneOf<Value extends string>(
  labels: Readonly<{ [key in Value]: string }>,
  text: string,
): Value | undefined {
  const wanted = plain(text);
  // The cast: Object.entries forgets the names.
  const entries = Object.entries(labels) as [Value, string][];
  return entries.find(([value, label]) => plain(value) === wanted || plain(label) === wanted)?.[0];
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** A whole number as people write it; undefined where it is none. */
export function wholeNumber(text: string): number | undefined {
  return /^[+-]?\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

/** Parts of a list, in order. */
export function* parts<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

/** What a plan is answered that no longer holds. */
export function outdated(): AppError {
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
