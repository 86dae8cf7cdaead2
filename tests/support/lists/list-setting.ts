import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { createTestDatabase } from '#tests/support/postgres/database.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

/** Words with special case folding, escape characters or separators. */
export const AWKWARD_WORDS = [
  ...['lift', 'LIFT', 'Ämter', 'äMTER', 'İ', 'i', 'ΟΔΟΣ', 'οδος', 'ẞ', 'ß'],
  ...['50%', 'a_b', 'a\\b', "o'c", 'x\ny', '😀'],
];
export const awkwardText = fc
  .array(fc.constantFrom(...AWKWARD_WORDS), { minLength: 1, maxLength: 4 })
  .map((some) => some.join(' '));

/** A setting in which a list is read by a person who sees all of it, and by one who sees a part. */
export type ListSetting = {
  server: TestServer;
  /** Buildings in use. */
  buildingIds: string[];
  /** The rows of an archived building are in no list. */
  archivedId: string;
  /** An administrator, and a manager of `given` and the archived building. */
  admin: TestClient;
  manager: TestClient;
  given: string[];
  /** The ids of the administrator and the manager. */
  people: string[];
};

/**
 * Sets up a server, buildings and people for the tests of a list, before all tests of a file.
 * @param now the server's time, ISO
 * @param fill makes the rows of the list, in all buildings and the archived one
 */
export function setUpListSetting(now: string, fill: (setting: ListSetting) => Promise<unknown>): ListSetting {
  // Filled before the first test runs.
  const setting = {} as ListSetting;
  beforeAll(async () => {
    const database = await createTestDatabase();
    const server = await startTestServer(database, { clock: testClock(now) });
    const { services } = server;
    afterAll(async () => {
      await server.stop();
      await database.drop();
    });
    const buildingIds: string[] = [];
    while (buildingIds.length < 5) buildingIds.push((await createBuilding(services)).id);
    const archivedId = (await createBuilding(services, { archivedAt: now })).id;
    const given = buildingIds.slice(0, 2);
    const admin = await createPerson(services, { role: 'admin' });
    const manager = await createPerson(services, { role: 'manager', buildings: [...given, archivedId] });
    Object.assign(setting, {
      ...{ server, buildingIds, archivedId, given, people: [admin.id, manager.id] },
      admin: createTestClient(server.url, await signInAs(server, admin)),
      manager: createTestClient(server.url, await signInAs(server, manager)),
    });
    await fill(setting);
  });
  return setting;
}

/** Reads a list to its end, page by page. */
export async function allPages<Input, Row>(
  query: (input: Input) => Promise<{ data: { rows: Row[]; nextCursor: unknown } }>,
  input: Input,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: unknown;
  do {
    // The input keeps its type, because the cursor is from the previous answer.
    const { data } = await query({ ...input, ...(cursor === undefined ? {} : { cursor }) });
    rows.push(...data.rows);
    cursor = data.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

/**
 * Asserts of many filters that SQL and JavaScript let the same rows through in the same order, for a person who sees
 * everything and for one who sees a part. Both read in pages of odd lengths.
 */
export async function expectSameList<Row extends { id: string; buildingId: string }, Filter>(
  { admin, manager, given }: ListSetting,
  list: {
    filters: fc.Arbitrary<Filter>;
    read: (client: TestClient, filter: Filter | undefined, limit: number) => Promise<Row[]>;
    matches: (filter: Filter, row: Row) => boolean;
    compare: (row: Row, other: Row) => number;
  },
): Promise<void> {
  const all = await list.read(admin, undefined, 200);
  const runs = fc.asyncProperty(list.filters, fc.boolean(), fc.constantFrom(13, 50, 200), async (...run) => {
    const [filter, asManager, limit] = run;
    const expected = all
      .filter(({ buildingId }) => !asManager || given.includes(buildingId))
      .filter((row) => list.matches(filter, row))
      .toSorted(list.compare);
    const rows = await list.read(asManager ? manager : admin, filter, limit);
    expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  });
  await fc.assert(runs, { numRuns: 80 });
}
