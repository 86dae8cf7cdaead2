import { z } from 'zod';
import type { Changes } from './live.ts';

/** One line of a row's history, read from the events. */
export type HistoryEntry = {
  g: number;
  at: string;
  actorId: string | null;
  actorName: string | null;
  command: string;
  /** Field → what it was and what it became. A creation has none. */
  changes: Changes | null;
  /** By law: that something happened, and by whom, is left. */
  erased: boolean;
};

/** A part of a row's history, newest first. */
export type HistoryPage = {
  entries: HistoryEntry[];
  /** Null at the beginning of the history. */
  nextCursor: number | null;
};

/** Input of every `<feature>.history`. */
export const historyInput = z.strictObject({
  id: z.uuid(),
  /** The `g` of the last entry of the page before: older ones follow. */
  cursor: z.number().int().positive().optional(),
});
export type HistoryInput = z.infer<typeof historyInput>;
