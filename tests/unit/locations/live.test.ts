import { describe, expect, test } from 'vitest';
import { BLANK_BUILDING } from '#shared/features/locations/building-fields.ts';
import type { Building, ClientRow, NamedPage } from '#shared/features/locations/locations.ts';
import type { Changes } from '#shared/live/live.ts';
import type { BuildingsInput, ClientsInput } from '#web/features/locations/fold-places.ts';
import { buildingList, clientList } from '#web/features/locations/places.live.ts';
import type { LiveChange } from '#web/live/types.ts';

const CLIENT = 'c1';
const ALL = { clientId: CLIENT, search: '' };
const NOW = '2026-11-20T12:00:00.000Z';

function building(name: string, values: Partial<Building> = {}): Building {
  return {
    id: name.toLowerCase(),
    clientId: CLIENT,
    clientName: 'Northgate',
    ...BLANK_BUILDING,
    name,
    code: name.slice(0, 3).toUpperCase(),
    floorCount: 0,
    archivedAt: null,
    version: 1,
    ...values,
  };
}
function put(row: Building, changes: Changes | null): LiveChange<'building'> {
  return { ...envelope(row), entity: 'building', op: 'put', row, changes };
}
function putClient(row: Pick<ClientRow, 'id' | 'name' | 'archivedAt' | 'version'>, changes: Changes | null) {
  return { ...envelope(row), entity: 'client' as const, op: 'put' as const, row, changes };
}
function envelope({ id, version }: { id: string; version: number }) {
  return {
    g: 1,
    outboxId: '1',
    at: NOW,
    actor: null,
    command: 'x',
    entityId: id,
    version,
    operationId: null,
  };
}
function page<Row>(rows: Row[], total = rows.length): NamedPage<Row> {
  return { rows, total, nextCursor: total > rows.length ? { name: 'm', id: 'm' } : null };
}
const foldBuildings = (list: NamedPage<Building>, event: LiveChange<'building'>, input: BuildingsInput) =>
  buildingList.apply(list, event, { input, now: 0 });
const foldClients = (
  list: NamedPage<ClientRow>,
  event: LiveChange<'client' | 'building'>,
  input: ClientsInput,
) => clientList.apply(list, event, { input, now: 0 });
const names = (value: NamedPage<{ name: string }> | 'refetch') =>
  value === 'refetch' ? value : [value.rows.map(({ name }) => name).join(' '), value.total];

describe('a list of buildings', () => {
  const held = page([building('alpha'), building('Gamma')]);

  test('takes a new one in at its place, once', () => {
    const event = put(building('Beta'), null);
    const after = foldBuildings(held, event, ALL);
    expect(names(after)).toEqual(['alpha Beta Gamma', 3]);
    if (after !== 'refetch') expect(foldBuildings(after, event, ALL)).toBe(after);
  });

  test('counts a new one that stands beyond what is loaded', () => {
    const part = page([building('alpha'), building('Gamma')], 9);
    expect(names(foldBuildings(part, put(building('Zeta'), null), ALL))).toEqual(['alpha Gamma', 10]);
  });

  test('moves one that was renamed, and leaves alone what is older', () => {
    const renamed = building('Zeta', { id: 'alpha', version: 2 });
    const after = foldBuildings(held, put(renamed, { name: ['alpha', 'Zeta'] }), ALL);
    expect(names(after)).toEqual(['Gamma Zeta', 2]);
    expect(foldBuildings(held, put(building('alpha'), { name: ['x', 'alpha'] }), ALL)).toBe(held);
  });

  test('loses what goes to the archive, and takes it back', () => {
    const gone = building('Gamma', { archivedAt: NOW, version: 2 });
    const after = foldBuildings(held, put(gone, { archivedAt: [null, NOW] }), ALL);
    expect(names(after)).toEqual(['alpha', 1]);
    if (after === 'refetch') return;
    const back = building('Gamma', { version: 3 });
    expect(names(foldBuildings(after, put(back, { archivedAt: [NOW, null] }), ALL))).toEqual([
      'alpha Gamma',
      2,
    ]);
  });

  test('is not concerned by another client, and asks where only the server knows', () => {
    expect(foldBuildings(held, put(building('Beta', { clientId: 'c2' }), null), ALL)).toBe(held);
    const search = { ...ALL, search: 'a' };
    expect(foldBuildings(held, put(building('Beta'), null), search)).toBe('refetch');
  });
});

describe('a list of clients', () => {
  const northgate = { id: CLIENT, name: 'Northgate', archivedAt: null, version: 1, buildingCount: 2 };
  const held = page([northgate]);
  const input = { search: '' };
  const countAfter = (event: LiveChange<'client' | 'building'>) => {
    const after = foldClients(held, event, input);
    return after === 'refetch' ? after : after.rows[0]?.buildingCount;
  };

  test('counts the buildings that come and go, and no other change of them', () => {
    expect(countAfter(put(building('Beta'), null))).toBe(3);
    expect(countAfter(put(building('Beta', { archivedAt: NOW }), { archivedAt: [null, NOW] }))).toBe(1);
    expect(countAfter(put(building('Beta'), { archivedAt: [NOW, null] }))).toBe(3);
    expect(countAfter(put(building('Beta'), { floorCount: [1, 2] }))).toBe(2);
  });

  test('keeps the count when a client is renamed, by itself or through its buildings', () => {
    const renamed = { id: CLIENT, name: 'Southgate', archivedAt: null, version: 2 };
    const after = foldClients(held, putClient(renamed, { name: ['Northgate', 'Southgate'] }), input);
    expect(after).toMatchObject({ rows: [{ name: 'Southgate', buildingCount: 2 }], total: 1 });
    const through = put(building('Beta', { clientName: 'Southgate' }), { clientName: ['N', 'Southgate'] });
    expect(foldClients(held, through, input)).toMatchObject({ rows: [{ name: 'Southgate' }], total: 1 });
  });

  test('takes a new client in without buildings, and asks about one that comes back with some', () => {
    const fresh = { id: 'c2', name: 'Albion', archivedAt: null, version: 1 };
    expect(names(foldClients(held, putClient(fresh, null), input))).toEqual(['Albion Northgate', 2]);
    expect(foldClients(held, putClient(fresh, { archivedAt: [NOW, null] }), input)).toBe('refetch');
  });
});

test('joined pages keep the newer copy of a row', () => {
  const joined = buildingList.merge(
    page([building('alpha', { version: 3 })], 2),
    page([building('alpha', { version: 2 }), building('Beta')]),
    ALL,
  );
  expect(joined.rows.map(({ name, version }) => [name, version])).toEqual([
    ['alpha', 3],
    ['Beta', 1],
  ]);
});
