import { z } from 'zod';
import type { Changes } from './live/live.ts';

/** One line of a row's history, read from the events. */
export type HistoryEntry = {
  g: number;
  at: string;
  actorId: string | null;
  actorName: string | null;
  /** The name of the API key, if a program made the change in the person's name. */
  apiKeyName: string | null;
  command: string;
  /** Per field, the value before and the value after; null for a creation. */
  changes: Changes | null;
  /** The content has been erased for legal reasons; the person and the time remain. */
  erased: boolean;
};

/** One page of a row's history, newest first. */
export type HistoryPage = {
  entries: HistoryEntry[];
  /** Null on the last page. */
  nextCursor: number | null;
};

/** Input of every `<feature>.history`. */
export const historyInput = z.strictObject({
  id: z.uuid(),
  /** The `g` of the last entry of the page before; older entries follow. */
  cursor: z.number().int().positive().optional(),
});
export type HistoryInput = z.infer<typeof historyInput>;
