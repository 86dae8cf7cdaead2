import type { z } from 'zod';
import type { Permission } from '#shared/permissions.ts';
import type { Actor } from '../../access/actor.ts';
import type { Services } from '../context.ts';

/** Rows that are read and written as CSV in one go: a page of a thousand blocked the event loop for 100 ms. */
export const EXPORT_ROWS = 100;

/** The value of a cell; null is an empty one. */
export type Cell = string | number | null;

type Reader = {
  services: Services;
  actor: Actor;
  /** The organisation's time zone, in which moments are written. */
  timeZone: string;
};
export type Pages = AsyncGenerator<Cell[][], void, undefined>;

/** A list that can be exported: the permission, and its rows page by page, from the same query as the screen. */
export type ExportedList = {
  permission: Permission;
  columns: readonly string[];
  /** @throws ZodError for a filter that the screen cannot produce */
  rows(reader: Reader, filter: unknown): Pages;
};

/** Declares a list of a feature that can be exported, with the filter of its screen. */
export function exportedList<Filter extends z.ZodType>(definition: {
  permission: Permission;
  columns: readonly string[];
  filter: Filter;
  pages(reader: Reader, filter: z.output<Filter>): Pages;
}): ExportedList {
  const { permission, columns, filter, pages } = definition;
  return { permission, columns, rows: (reader, input) => pages(reader, filter.parse(input)) };
}
