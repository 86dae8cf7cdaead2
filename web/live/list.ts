import type { Snapshot } from '#shared/live/live.ts';
import type { LiveEntity } from '#shared/live/live-entities.ts';
import { indexOfRow, joinRows, keyOf, type ListRow, putRow, type RowChange, versionOf } from './list-rows.ts';
import type { ApplyContext, LiveChange, LiveQuery, PagedQuery } from './types.ts';

/** The loaded part of a list: its rows from the first on, without a gap, and the other fields of the answer. */
export type ListPage<Row extends ListRow = ListRow, Cursor extends object = object> = {
  rows: Row[];
  /** The server's cursor of the last fetched row, after which the next page begins. Null at the end of the list. */
  nextCursor: Cursor | null;
  /** The number of rows in the whole list, if the server counts them; kept up to date by the client. */
  total?: number;
  /** True if the server stopped counting there: the list has more rows. */
  totalIsLeast?: boolean;
};

export type RowOf<Page extends ListPage> = Page['rows'][number];
type CursorOf<Page extends ListPage> = NonNullable<Page['nextCursor']>;

/** The maximum number of rows of a page, and the cursor after which it begins. */
export type PageInput<Cursor> = { limit: number; cursor?: Cursor };

/** The context of a list's `apply`: its input, the server time, and the usual operations on the loaded rows. */
export type ListContext<Input, Page extends ListPage> = ApplyContext<Input> & {
  /**
   * The page after a change of one row: the row enters, leaves, moves or is replaced at its place. A row that moves
   * beyond the loaded part is removed and comes back with its page. Returns the same page for a known change.
   * @param belongs whether the row is part of this list; `refetch` if only the server can tell
   */
  change(
    page: Page,
    event: RowChange<RowOf<Page>>,
    belongs: (row: RowOf<Page>) => boolean | 'refetch',
  ): Page | 'refetch';
  /** The page with a row at its place. */
  put(page: Page, row: RowOf<Page>): Page;
};

export type LiveListDefinition<Input, Page extends ListPage, E extends LiveEntity> = Pick<
  LiveQuery<Input, Page, E>,
  'name' | 'entities' | 'changesAt'
> & {
  /** The number of rows per page. */
  pageSize: number;
  /** The most rows that the server returns at once. */
  maxPageSize: number;
  fetchPage(
    input: Input,
    page: PageInput<CursorOf<Page>>,
    options: { signal: AbortSignal },
  ): Promise<Snapshot<Page>>;
  /** The order of the list, as on the server: negative if the row comes before the other row or the cursor. */
  compare(row: RowOf<Page>, other: RowOf<Page> | CursorOf<Page>, input: Input): number;
  /** As for every live query: usually calls `change` for the list's own entity, and does little for others. */
  apply(page: Page, event: LiveChange<E>, context: ListContext<Input, Page>): Page | 'refetch';
  /**
   * The building of a row, so that rows of lost buildings are removed at once; null for a row that stays. If absent,
   * the list is fetched again.
   */
  buildingOf?(row: RowOf<Page>): string | null;
  /** The fields besides the rows after a further page; fields that are not returned are taken from the further page. */
  joinRest?(page: Page, further: Page): Partial<Page>;
};

/** A list for the cache and `useLiveList`. */
export type LiveList<Input, Page extends ListPage, E extends LiveEntity = LiveEntity> = PagedQuery<
  Input,
  Page,
  E
>;

/**
 * A list that is read in pages and kept up to date by the stream. The definition specifies how a page is fetched, the
 * order of the rows, and the effect of an event. From this follow:
 *
 * - the first page, and a further one for each `loadMore` of `useLiveList`, joined without duplicate rows;
 * - the same length when the list is fetched again, as after a lost connection;
 * - a changed row at its place, including own unconfirmed writes, while unchanged rows stay the same objects.
 *
 * docs/recipes.md has a whole example.
 */
export function defineLiveList<Input, Page extends ListPage, const E extends LiveEntity>(
  definition: LiveListDefinition<Input, Page, E>,
): LiveList<Input, Page, E> {
  const { pageSize, maxPageSize, fetchPage, compare, apply, buildingOf, joinRest, ...rest } = definition;

  function ask(input: Input, rows: number, cursor: Page['nextCursor'], options: { signal: AbortSignal }) {
    const limit = Math.min(maxPageSize, Math.max(pageSize, rows));
    return fetchPage(input, cursor === null ? { limit } : { limit, cursor }, options);
  }
  function merge(page: Page, further: Page, input: Input): Page {
    const rows = joinRows(page.rows, further.rows, (a, b) => compare(a, b, input));
    // At the end of the list all rows are loaded, so the total is known, even if the server stopped counting earlier.
    const counted = further.nextCursor === null && further.totalIsLeast === true;
    const total = counted ? { total: rows.length, totalIsLeast: false } : {};
    return { ...page, ...further, ...joinRest?.(page, further), ...total, rows };
  }

  return {
    ...rest,
    async fetch(input, { signal, limit = 0 }) {
      const first = await ask(input, limit, null, { signal });
      let data = first.data;
      while (data.rows.length < limit && data.nextCursor !== null) {
        const further = await ask(input, limit - data.rows.length, data.nextCursor, { signal });
        data = merge(data, further.data, input);
      }
      return { ...first, data };
    },
    // A long list is extended by longer pages.
    fetchMore: (input, page, options) =>
      ask(input, page.rows.length < maxPageSize ? pageSize : maxPageSize, page.nextCursor, options),
    merge,
    size: (page) => page.rows.length,
    apply(page, event, context) {
      const put = (to: Page, row: RowOf<Page>) => placed(to, row, (a, b) => compare(a, b, context.input));
      return apply(page, event, {
        ...context,
        put,
        change: (to, change, belongs) => changed(to, change, belongs, put),
      });
    },
    ...(buildingOf && {
      lose: (page: Page, lost: (buildingId: string) => boolean) =>
        lose(page, (row) => {
          const buildingId = buildingOf(row);
          return buildingId === null || !lost(buildingId);
        }),
    }),
  };
}

function changed<Page extends ListPage>(
  page: Page,
  event: RowChange<RowOf<Page>>,
  belongs: (row: RowOf<Page>) => boolean | 'refetch',
  put: (page: Page, row: RowOf<Page>) => Page,
): Page | 'refetch' {
  const held = page.rows[indexOfRow(page.rows, event.entityId)];
  if (held !== undefined && versionOf(held) >= event.version) return page;
  const verdict = event.op === 'put' && belongs(event.row);
  if (verdict === 'refetch') return 'refetch';
  const isNew = event.op === 'put' && event.changes === null;
  // A row that is not loaded may have been counted.
  if (held === undefined && !isNew && page.total !== undefined && page.nextCursor !== null) return 'refetch';
  if (event.op === 'put' && verdict) return put(page, event.row);
  if (held === undefined) return page;
  // If the server stopped counting, only the server knows how many rows are left.
  return page.totalIsLeast === true ? 'refetch' : withRows(page, without(page.rows, held));
}

function placed<Page extends ListPage>(
  page: Page,
  row: RowOf<Page>,
  compare: (row: RowOf<Page>, other: RowOf<Page> | CursorOf<Page>) => number,
): Page {
  const isBeyond = page.nextCursor !== null && compare(row, page.nextCursor) > 0;
  if (!isBeyond) return withRows(page, putRow(page.rows, row, compare));
  const held = page.rows[indexOfRow(page.rows, keyOf(row))];
  if (held !== undefined) return { ...page, rows: without(page.rows, held) };
  return page.total === undefined ? page : { ...page, ...totalAfter(page, 1) };
}

/** Removes rows. If the end is not loaded, only the server knows how many of the counted rows remain. */
function lose<Page extends ListPage>(page: Page, stays: (row: RowOf<Page>) => boolean): Page | 'refetch' {
  if (page.total !== undefined && page.nextCursor !== null) return 'refetch';
  const rows = page.rows.filter(stays);
  return rows.length === page.rows.length ? page : withRows(page, rows);
}

/** The page with other rows, and its total adjusted by the difference. */
function withRows<Page extends ListPage>(page: Page, rows: RowOf<Page>[]): Page {
  return { ...page, ...totalAfter(page, rows.length - page.rows.length), rows };
}

function totalAfter({ total, totalIsLeast }: ListPage, change: number): Pick<ListPage, 'total'> {
  return total === undefined || totalIsLeast === true ? {} : { total: total + change };
}

function without<Row>(rows: readonly Row[], row: Row): Row[] {
  return rows.filter((each) => each !== row);
}
