import { describe, expect, test } from 'vitest';
import { compareAssets } from '#shared/features/assets/asset-filter.ts';
import { compareDocuments } from '#shared/features/documents/document-filter.ts';
import type { Changes } from '#shared/live/live.ts';
import type { LiveEntity } from '#shared/live/live-entities.ts';
import { dueSitesOf } from '#web/features/checks/due/due-sites.ts';
import { siteOptions } from '#web/features/checks/recording/site/site-options.ts';
import { displayList } from '#web/features/displays/displays.live.ts';
import { byClient } from '#web/features/locations/pickers/building-picker.tsx';
import { myBuildings } from '#web/features/locations/pickers/my-buildings.live.ts';
import { buildingList, clientList } from '#web/features/locations/places.live.ts';
import { rankOf, worstFirst } from '#web/features/pulse/fold-pulse.ts';
import { foldOverview } from '#web/features/tasks/fold-overview.ts';
import { disciplines } from '#web/features/users/disciplines.live.ts';
import type { LiveChange } from '#web/live/types.ts';
import { findOptions, searchable } from '#web/ui/fields/find-options.ts';

// The browser inserts a row at the place where the server would: in each list of names, every name is missing once.

const ORDER = ['Élan', 'Light 1', 'light 2', 'Light 10', 'Zone'];
const rows = ORDER.map((name, at) => ({
  id: `id ${at}`,
  name,
  version: 1,
  archivedAt: null,
  clientName: 'C',
}));
type Row = (typeof rows)[number];

function put<E extends LiveEntity>(entity: E, row: object & { id: string }, changes: Changes | null = null) {
  const envelope = { g: 1, outboxId: '1', at: '', actor: null, command: 'x', operationId: null };
  // The cast: the lists look only at the fields that the rows of this test have.
  return {
    ...envelope,
    version: 1,
    entityId: row.id,
    entity,
    op: 'put',
    row,
    changes,
  } as unknown as LiveChange<E>;
}
const named = (list: unknown) =>
  Array.isArray(list) ? list.map(({ name }: { name: string }) => name) : list;
const namedIn = (page: unknown) => named((page as { rows: unknown }).rows);
// A cast for rows: the definitions of the lists require more fields than these tests need.
const cast = <T>(value: unknown): T => value as T;
const pageOf = (held: Row[]) => cast<never>({ rows: held, total: held.length, nextCursor: null });
const context = { input: { search: '' }, now: 0 };

describe.each(ORDER.map((name, at) => [name, at] as const))(
  '%s enters at its place in the list of',
  (_name, at) => {
    const row = rows[at] as Row;
    const others = rows.filter((other) => other !== row);

    test('disciplines', () => {
      const active = { ...row, isActive: true };
      const after = disciplines.apply(
        cast(others),
        put('discipline', active),
        cast({ input: undefined, now: 0 }),
      );
      expect(named(after)).toEqual(ORDER);
    });
    test('displays', () => {
      const paired = { ...row, unpairedAt: null };
      const after = displayList.apply(
        cast(others),
        put('display', paired),
        cast({ input: undefined, now: 0 }),
      );
      expect(named(after)).toEqual(ORDER);
    });
    test('buildings of a picker', () => {
      expect(
        named(myBuildings.apply(cast(others), put('place', row), cast({ input: undefined, now: 0 }))),
      ).toEqual(ORDER);
    });
    test('clients', () => {
      expect(namedIn(clientList.apply(pageOf(others), put('client', row), cast(context)))).toEqual(ORDER);
    });
    test('buildings', () => {
      expect(namedIn(buildingList.apply(pageOf(others), put('building', row), cast(context)))).toEqual(ORDER);
    });
  },
);

describe('the order of the server is that of', () => {
  const shuffled = ['Zone', 'Light 10', 'Élan', 'light 2', 'Light 1'];

  test.each(['name', 'type', 'lastVisit'] as const)('assets by %s', (sort) => {
    const assets = shuffled.map((name) => ({
      ...{ id: name, name, type: 'asset' as const, buildingId: 'b', buildingName: 'B', lastVisitDate: null },
    }));
    expect(named(assets.sort((a, b) => compareAssets({ sort, direction: 'asc' }, a, b)))).toEqual(ORDER);
  });
  test('assets by their building', () => {
    const assets = shuffled.map((name) => ({
      ...{
        id: name,
        name: 'Panel',
        type: 'asset' as const,
        buildingId: name,
        buildingName: name,
        lastVisitDate: null,
      },
    }));
    const order = { sort: 'building', direction: 'asc' } as const;
    expect(assets.sort((a, b) => compareAssets(order, a, b)).map(({ buildingName }) => buildingName)).toEqual(
      ORDER,
    );
  });
  test('documents', () => {
    const documents = shuffled.map((fileName) => ({
      ...{ id: fileName, fileName, name: fileName, isFolder: false, modifiedAt: '', fileSize: 0 },
    }));
    const order = { sort: 'name', direction: 'asc' } as const;
    expect(named(documents.sort((a, b) => compareDocuments(order, a, b)))).toEqual(ORDER);
  });
  test('sites where a check is due, and of the picker of sites', () => {
    const sites = shuffled.map((name) => ({ id: name, name, clientName: 'C', standings: {} }));
    const dueSites = shuffled.map((name) => ({
      ...{ id: name, name, clientName: 'C', isOverdue: true, done: null, of: null },
    }));
    const card = cast<never>({ dueSites, due: 5, dueBy: '2026-12-31' });
    const known = { sites: [], more: true, own: [], round: [], today: '2026-11-18' };
    expect(named(dueSitesOf('fire_alarm_test', card, known)?.sites)).toEqual(ORDER);
    expect(siteOptions(sites, undefined, []).map(({ label }) => label)).toEqual(ORDER);
  });
  test('clients in the picker of buildings', () => {
    const places = shuffled.map((clientName) => ({ id: clientName, name: 'House', clientName }));
    expect(byClient(places).map(({ group }) => group)).toEqual(ORDER);
  });
  test('buildings of the compliance overview, where nothing else tells them apart', () => {
    const figures = { compliant: 1, nonCompliant: 0, overdue: 0, dueThisWeek: 0 };
    const buildings = ORDER.slice(1).map((name) => ({ buildingId: name, buildingName: name, ...figures }));
    const task = {
      ...{ id: 't', buildingId: 'Élan', buildingName: 'Élan', retiredAt: null, isDue: true, markedOn: null },
      ...{ coveredUntil: '2026-12-31', due: '2026-12-31', frequency: 'weekly', early: null, grace: 'P0D' },
      ...{ complianceSystem: '', taskDescription: '', responsiblePerson: '', taskNumber: '' },
    };
    const before = cast<never>({ today: '2026-11-18', changesAt: '', summary: figures, buildings });
    const after = foldOverview(before, put('task', task), {});
    expect(
      cast<{ buildings: { buildingName: string }[] }>(after).buildings.map((one) => one.buildingName),
    ).toEqual(ORDER);
  });
});

test('buildings of the same figures are in the order of their names', () => {
  const tasks = { compliant: 0, nonCompliant: 0, overdue: 0, dueThisWeek: 0 };
  const ranks = rows.map(({ id, name }) => rankOf(cast({ id, buildingName: name, tasks })));
  expect(ranks.toReversed().sort(worstFirst)).toEqual(ranks);
});

test('a picker finds with accents and without, and whatever the apostrophe', () => {
  const index = searchable([{ id: '1', label: 'Prüfbericht d’Été' }]);
  for (const search of ['prufbericht', 'Pru\u0308f', "d'ete", 'D’Été\u00a0prüf'])
    expect(findOptions(index, search)).toHaveLength(1);
});
