import { describe, expect, test } from 'vitest';
import type { Discipline } from '#shared/features/disciplines/disciplines.ts';
import type { Changes } from '#shared/live/live.ts';
import { defineLiveList, type ListPage } from '#web/live/list.ts';
import type { LiveChange } from '#web/live/types.ts';

type Page = ListPage<Discipline, { name: string; id: string }>;
type Asked = { limit: number; after: string | undefined };

const { signal } = new AbortController();
const context = { input: undefined, now: 0 };

function rowOf(name: string, version = 1, id = name): Discipline {
  return { id, name, isActive: true, createdAt: '2026-11-01T09:00:00.000Z', version };
}
const all = Array.from({ length: 30 }, (_, n) => rowOf(`n${String(n).padStart(2, '0')}`));

/** A list of names on a server with thirty, which returns at most eight at once. */
function listOver(asked: Asked[] = [], counted = false) {
  return defineLiveList<undefined, Page, 'discipline'>({
    name: 'test.names',
    entities: ['discipline'],
    pageSize: 4,
    maxPageSize: 8,
    async fetchPage(_input, { limit, cursor }) {
      asked.push({ limit, after: cursor?.name });
      const rest = all.filter(({ name }) => cursor === undefined || name > cursor.name);
      return { asOf: 'e.1', data: pageOf(rest.slice(0, limit), rest.length > limit, counted) };
    },
    compare: (a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1),
    apply: (page, event, { change }) => change(page, event, ({ isActive }) => isActive),
    buildingOf: ({ id }) => (id === 'n01' ? null : id),
  });
}

function pageOf(rows: Discipline[], more: boolean, counted = false): Page {
  const last = rows.at(-1);
  const nextCursor = more && last !== undefined ? { name: last.name, id: last.id } : null;
  return { rows, nextCursor, ...(counted && { total: all.length }) };
}

function put(row: Discipline, changes: Changes | null = {}): LiveChange<'discipline'> {
  return { ...envelope(row), op: 'put', row, changes };
}
function envelope({ id, version }: Discipline) {
  const origin = { actor: null, command: 'x', operationId: null, outboxId: '1' };
  return { g: 1, at: '', entity: 'discipline' as const, entityId: id, version, ...origin };
}

const names = (page: Page | 'refetch') => (page === 'refetch' ? page : page.rows.map(({ name }) => name));

describe('a list in pages', () => {
  test('is fetched again at its length, in as few pages as the server gives', async () => {
    const asked: Asked[] = [];
    const { data } = await listOver(asked).fetch(undefined, { signal, limit: 19 });
    expect(data.rows).toEqual(all.slice(0, 20));
    expect(asked).toEqual([
      { limit: 8, after: undefined },
      { limit: 8, after: 'n07' },
      { limit: 4, after: 'n15' },
    ]);
  });

  test('grows by pages, longer ones when it is long, up to its end', async () => {
    const asked: Asked[] = [];
    const list = listOver(asked);
    let page = (await list.fetch(undefined, { signal })).data;
    while (page.nextCursor !== null) {
      page = list.merge(page, (await list.fetchMore(undefined, page, { signal })).data, undefined);
    }
    expect(page.rows).toEqual(all);
    expect(asked.map(({ limit }) => limit)).toEqual([4, 4, 8, 8, 8]);
  });

  test('has a row once, by its newest copy, where it moved while the page was under way', () => {
    const list = listOver();
    const moved = rowOf('n06', 2, 'n01');
    const page = list.merge(
      pageOf(all.slice(0, 4), true),
      pageOf([...all.slice(4, 7), moved], true),
      undefined,
    );
    expect(names(page)).toEqual(['n00', 'n02', 'n03', 'n04', 'n05', 'n06', 'n06']);
    expect(new Set(page.rows.map(({ id }) => id)).size).toBe(7);
  });

  test('an older copy of a row in a further page changes nothing', () => {
    const list = listOver();
    const newer = rowOf('n03', 5);
    const page = list.merge(
      pageOf([...all.slice(0, 3), newer], true),
      pageOf(all.slice(3, 6), true),
      undefined,
    );
    expect(page.rows[3]).toBe(newer);
    expect(page.rows).toHaveLength(6);
  });
});

describe('a change in the loaded part', () => {
  const list = listOver();
  const page = pageOf(all.slice(0, 4), true);

  test('a row enters, moves and leaves; the others stay the same objects', () => {
    const entered = list.apply(page, put(rowOf('n01a'), null), context);
    expect(names(entered)).toEqual(['n00', 'n01', 'n01a', 'n02', 'n03']);
    const moved = list.apply(page, put(rowOf('n02a', 2, 'n00')), context);
    expect(names(moved)).toEqual(['n01', 'n02', 'n02a', 'n03']);
    if (moved === 'refetch') throw new Error('asked again');
    expect(moved.rows[0]).toBe(page.rows[1]);
    expect(names(list.apply(page, put({ ...rowOf('n02', 2), isActive: false }), context))).toEqual([
      'n00',
      'n01',
      'n03',
    ]);
  });

  test('what is known already leaves the page as it is', () => {
    expect(list.apply(page, put(rowOf('other', 1, 'n02')), context)).toBe(page);
    expect(list.apply(page, { ...envelope(rowOf('n99')), op: 'del', changes: null }, context)).toBe(page);
  });

  test('beyond the loaded part nothing is shown, and a row that moves there leaves', () => {
    expect(list.apply(page, put(rowOf('n10a'), null), context)).toBe(page);
    expect(names(list.apply(page, put(rowOf('n10a', 2, 'n01')), context))).toEqual(['n00', 'n02', 'n03']);
  });

  test('what lies in a lost building leaves; what is of no building stays', () => {
    expect(names(list.lose?.(page, (id) => id <= 'n02') ?? page)).toEqual(['n01', 'n03']);
    expect(list.lose?.(page, () => false)).toBe(page);
  });
});

describe('a list that is counted', () => {
  const list = listOver([], true);
  const page = pageOf(all.slice(0, 4), true, true);
  const total = (after: Page | 'refetch') => (after === 'refetch' ? after : after.total);

  test('counts what comes and goes, loaded or not', () => {
    expect(total(list.apply(page, put(rowOf('n01a'), null), context))).toBe(31);
    expect(total(list.apply(page, put(rowOf('n10a'), null), context))).toBe(31);
    expect(total(list.apply(page, put({ ...rowOf('n01', 2), isActive: false }), context))).toBe(29);
    expect(total(list.apply(page, put(rowOf('n10a', 2, 'n01')), context))).toBe(30);
  });

  test('up to a number says so until its end is loaded, and asks again when a row goes', () => {
    const many = { ...page, total: 20, totalIsLeast: true };
    expect(total(list.apply(many, put(rowOf('n01a'), null), context))).toBe(20);
    expect(total(list.apply(many, put(rowOf('n10a'), null), context))).toBe(20);
    expect(total(list.apply(many, put(rowOf('n01', 2)), context))).toBe(20);
    expect(list.apply(many, put({ ...rowOf('n01', 2), isActive: false }), context)).toBe('refetch');
    const further = { ...pageOf(all.slice(4), false, true), total: 20, totalIsLeast: true };
    expect(list.merge(many, further, undefined)).toMatchObject({ total: 30, totalIsLeast: false });
  });

  test('asks again where a row that is not loaded may have been counted', () => {
    expect(list.apply(page, put(rowOf('n20', 2)), context)).toBe('refetch');
    expect(list.apply(page, { ...envelope(rowOf('n20', 2)), op: 'del', changes: null }, context)).toBe(
      'refetch',
    );
    expect(list.lose?.(page, () => false)).toBe('refetch');
  });
});
