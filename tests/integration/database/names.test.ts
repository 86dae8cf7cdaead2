import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Asset, AssetCursor } from '#shared/features/assets/assets.ts';
import { disciplineMessages } from '#shared/features/disciplines/disciplines-messages.ts';
import type { Document, DocumentCursor } from '#shared/features/documents/documents.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import type { NameCursor } from '#shared/features/locations/locations.inputs.ts';
import { uuidv7 } from '#shared/ids.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { otherForm } from '#tests/support/names.ts';
import { type CheckSetting, createCheckSetting } from '#tests/support/rows/check-setting.ts';
import { createAsset, lineOf } from '#tests/support/rows/checks.ts';
import { createDisplay } from '#tests/support/rows/displays.ts';
import { addFolder, contextOf, GENERAL_PLACE, reserve, storeFile } from '#tests/support/rows/documents.ts';
import { createBuilding, createClient, createPerson } from '#tests/support/rows/factories.ts';
import { refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { checkFile } from '#tests/support/server/files.ts';

let setting: CheckSetting;
let admin: TestClient;
let buildingId: string;

beforeAll(async () => {
  setting = await createCheckSetting();
  admin = setting.admin;
  buildingId = setting.building.id;
});
afterAll(() => setting.end());

const operation = () => ({ operationId: uuidv7() });
const KIND = 'fire_alarm_test';

describe('a list is in the order in which people count', () => {
  const ADDED = ['Zone', 'Light 10', 'Élan', 'light 2', 'Light 1'];
  const ORDER = ['Élan', 'Light 1', 'light 2', 'Light 10', 'Zone'];

  beforeAll(async () => {
    const { services } = setting.server;
    const client = await createClient(services);
    for (const name of ADDED) {
      await createClient(services, { name });
      const { id } = await createBuilding(services, { name, clientId: client.id });
      await createAsset(services, { buildingId: id, type: 'call_point', name: 'Panel' });
      await createAsset(services, { buildingId, name });
      await createAsset(services, { buildingId, name, type: 'water_outlet' });
      await createDisplay(services, { name });
      await createPerson(services, { role: 'admin', firstName: name, lastName: '' });
      await addFolder(admin, { buildingId, name });
      await admin.documents.disciplines.add.mutate({ ...operation(), id: uuidv7(), name });
      await admin.checks.addTestPoint.mutate({ ...operation(), id: uuidv7(), buildingId, name });
      await admin.tasks.create.mutate({
        ...{
          ...operation(),
          id: uuidv7(),
          buildingId: id,
          complianceSystem: 'Fire',
          taskDescription: 'Test',
        },
        frequency: 'weekly',
      });
    }
  });

  type Named = { name: string };
  /** Reads all rows of a list in pages of two. */
  async function paged<Row, Cursor>(
    read: (page: {
      limit: number;
      cursor?: Cursor;
    }) => Promise<{ data: { rows: Row[]; nextCursor: Cursor | null } }>,
  ): Promise<Row[]> {
    const rows: Row[] = [];
    let cursor: Cursor | null = null;
    do {
      const page: { limit: number; cursor?: Cursor } = cursor === null ? { limit: 2 } : { limit: 2, cursor };
      const { data } = await read(page);
      rows.push(...data.rows);
      cursor = data.nextCursor;
    } while (cursor !== null);
    return rows;
  }
  const assetsBy = (sort: 'name' | 'type' | 'building' | 'lastVisit') => async () => {
    const filter =
      sort === 'building' ? { type: 'call_point' as const } : { buildingId, type: 'water_outlet' as const };
    const rows = await paged<Asset, AssetCursor>((page) =>
      admin.assets.list.query({ filter, order: { sort, direction: 'asc' }, ...page }),
    );
    return rows.map(({ name, buildingName }) => ({ name: sort === 'building' ? buildingName : name }));
  };
  const LISTS: Readonly<Record<string, () => Promise<readonly Named[]>>> = {
    clients: () => paged<Named, NameCursor>((page) => admin.locations.listClients.query(page)),
    buildings: () => paged<Named, NameCursor>((page) => admin.locations.listBuildings.query(page)),
    'buildings of a picker': async () => (await admin.locations.mine.query()).data,
    disciplines: async () => (await admin.documents.disciplines.list.query()).data,
    'disciplines of a building': async () =>
      (await admin.documents.root.query({ buildingId })).data.disciplines.map(({ name }) => ({
        name: name ?? '',
      })),
    displays: async () => (await admin.displays.list.query()).data,
    'people of the activity': async () => (await admin.activity.actors.query()).data,
    'people who may be assigned': async () => await admin.issues.assignees.query({ buildingId }),
    'assets by name': assetsBy('name'),
    'assets by type': assetsBy('type'),
    'assets by building': assetsBy('building'),
    'assets by their last visit': assetsBy('lastVisit'),
    folders: async () => {
      const rows = await paged<Document, DocumentCursor>((page) =>
        admin.documents.list.query({ buildingId, place: GENERAL_PLACE, ...page }),
      );
      return rows.map(({ fileName }) => ({ name: fileName }));
    },
    'sites of the checks': async () => (await admin.checks.register.query({})).data.sites,
    'test points of a site': async () => {
      const { data } = await admin.checks.register.query({ buildingIds: [buildingId] });
      return data.sites[0]?.checks[KIND]?.subjects ?? [];
    },
    'sites of a year': async () => (await admin.checks.yearGrid.query({ kind: KIND, year: 2026 })).data.sites,
    'due sites of a card': async () =>
      (await admin.checks.cards.query()).data.cards.find(({ kind }) => kind === KIND)?.dueSites ?? [],
    'sites without a record': async () =>
      (await admin.checks.missing.query({ kind: KIND, day: '2026-11-18' })).data.sites,
    'sites of the tasks': async () =>
      (await admin.tasks.overview.query({})).data.buildings.map(({ buildingName }) => ({
        name: buildingName,
      })),
  };

  test.each(Object.keys(LISTS))('%s', async (list) => {
    const rows = (await LISTS[list]?.()) ?? [];
    expect(rows.map(({ name }) => name.trim()).filter((name) => ORDER.includes(name))).toEqual(ORDER);
  });
});

describe('a name is there once, however it is written', () => {
  const NAME = "St George's “Élan” Court";
  const TWIN = otherForm(NAME);

  test('the twin of the test has the same key and is another text', () => {
    expect(TWIN).not.toBe(NAME);
    expect(nameKey(TWIN)).toBe(nameKey(NAME));
  });

  test('of a client, also when it is renamed', async () => {
    await admin.locations.createClient.mutate({ ...operation(), name: NAME });
    const other = await admin.locations.createClient.mutate({ ...operation(), name: 'Another client' });
    const refused = await refusalOf(admin.locations.createClient.mutate({ ...operation(), name: TWIN }));
    expect(refused).toMatchObject({ code: 'invalid', fields: { name: expect.stringContaining(NAME) } });
    const rename = { ...operation(), id: other.id, name: { from: 'Another client', to: TWIN } };
    expect((await refusalOf(admin.locations.renameClient.mutate(rename))).code).toBe('invalid');
    // A new building with the same name of a client gets the existing client.
    const made = await admin.locations.createBuilding.mutate({
      ...operation(),
      name: 'House',
      clientName: TWIN,
    });
    const { data } = await admin.locations.listClients.query({ search: 'george' });
    expect(data.rows.map(({ id }) => id)).toEqual([made.clientId]);
  });

  test('of a discipline, which a deleted name restores', async () => {
    const { id } = await admin.documents.disciplines.add.mutate({ ...operation(), id: uuidv7(), name: NAME });
    const again = () => admin.documents.disciplines.add.mutate({ ...operation(), id: uuidv7(), name: TWIN });
    expect(await refusalOf(again())).toEqual({ code: 'duplicate', message: disciplineMessages.duplicate });
    await admin.documents.disciplines.remove.mutate({ ...operation(), id });
    expect((await again()).id).toBe(id);
  });

  test('of a test point, and a test that names it is of that point', async () => {
    const site = await createBuilding(setting.server.services);
    const add = (name: string) =>
      admin.checks.addTestPoint.mutate({ ...operation(), id: uuidv7(), buildingId: site.id, name });
    await add(NAME);
    expect((await refusalOf(add(TWIN))).code).toBe('invalid');
    const line = { ...lineOf(KIND, 'pass', uuidv7()), assetId: null, locationTested: TWIN };
    const visit = setting.visit(KIND, { buildingId: site.id, entries: [line] });
    await admin.checks.record.mutate(visit);
    const { data } = await admin.checks.register.query({ buildingIds: [site.id] });
    expect(data.sites[0]?.checks[KIND]?.subjects).toMatchObject([{ name: NAME, last: { result: 'pass' } }]);
  });

  test('of a place that is an asset', async () => {
    const { id } = await setting.subject(KIND, { name: NAME });
    const line = { ...lineOf(KIND, 'pass', id), assetId: null, locationTested: TWIN };
    const visit = setting.visit(KIND, { entries: [line] });
    await admin.checks.record.mutate(visit);
    expect((await setting.readBack(KIND, visit.visitId))?.entries[0]).toMatchObject({
      assetId: id,
      subjectKey: id,
    });
  });

  test('of a folder and of a file in one place', async () => {
    const site = await createBuilding(setting.server.services);
    const context = await contextOf(setting.server, setting.adminCookie);
    await addFolder(admin, { buildingId: site.id, name: NAME });
    expect((await refusalOf(addFolder(admin, { buildingId: site.id, name: TWIN }))).code).toBe('invalid');
    const paths = [
      [TWIN, 'Plans'],
      [NAME, 'PLANS'],
    ];
    const made = await admin.documents.createFolders.mutate({
      ...{ ...operation(), buildingId: site.id, place: GENERAL_PLACE, paths },
    });
    expect(made.made).toBe(1);
    await storeFile(context, { buildingId: site.id, fileName: `${NAME}.pdf` });
    const twin = reserve(context, { buildingId: site.id, fileName: `${TWIN}.pdf`, onSameName: 'refuse' });
    await expect(twin).rejects.toMatchObject({ code: 'conflict' });
    const names = [`${TWIN}.pdf`, 'Other.pdf'];
    const same = await admin.documents.sameNames.query({ buildingId: site.id, place: GENERAL_PLACE, names });
    expect(same.names).toHaveLength(1);
    await storeFile(context, { buildingId: site.id, fileName: `${TWIN}.pdf`, onSameName: 'keep_both' });
    const { data } = await admin.documents.list.query({ buildingId: site.id, place: GENERAL_PLACE });
    expect(data.rows.map(({ fileName }) => / \(2\)\.pdf$/i.test(fileName)).filter(Boolean)).toHaveLength(1);
  });

  test('of a floor of a building', async () => {
    const { id } = await admin.locations.createBuilding.mutate({
      ...{ ...operation(), name: 'Tower', clientName: 'Tower Ltd', floors: 2 },
    });
    const [ground, first] = (await admin.locations.listFloors.query({ buildingId: id })).data;
    const rename = (floor: typeof ground, to: string) =>
      admin.locations.renameFloor.mutate({
        ...{ ...operation(), id: floor?.id ?? '', name: { from: floor?.name ?? '', to } },
      });
    await rename(ground, NAME);
    expect((await refusalOf(rename(first, TWIN))).code).toBe('invalid');
  });
});

describe('a search finds what looks the same, with and without accents', () => {
  const NAME = "Prüfbericht d'Été";
  const WANTED = [
    'Prüfbericht',
    'Pru\u0308fbericht',
    'prufbericht',
    'PRÜFBERICHT  D’ÉTÉ',
    'bericht d\u02bcete',
    'Prü',
    'pr',
    'Pr\u00fc\u00a0',
  ];
  const SPELLED = [NAME, NAME.normalize('NFD'), 'PRÜFBERICHT\u00a0d’Été'];

  const FINDERS: Readonly<
    Record<string, { add(name: string): Promise<unknown>; find(search: string): Promise<number> }>
  > = {
    issues: {
      add: (title) =>
        admin.issues.create.mutate({
          ...operation(),
          id: uuidv7(),
          buildingId,
          title,
          description: '',
          priority: 'low',
        }),
      find: async (search) => (await admin.issues.list.query({ filter: { search } })).data.rows.length,
    },
    assets: {
      add: (name) => createAsset(setting.server.services, { buildingId, name }),
      find: async (search) => (await admin.assets.list.query({ filter: { search } })).data.rows.length,
    },
    documents: {
      // Each in a folder of its own, because the names are the same.
      add: async (name) => {
        const folder = await addFolder(admin, { buildingId });
        await addFolder(admin, { buildingId, name, place: { at: 'folder', folderId: folder } });
      },
      find: async (search) =>
        (await admin.documents.list.query({ buildingId, place: { at: 'building' }, search })).data.rows
          .length,
    },
    tasks: {
      add: (taskDescription) =>
        admin.tasks.create.mutate({
          ...{ ...operation(), id: uuidv7(), buildingId, complianceSystem: 'Fire', taskDescription },
          frequency: 'weekly',
        }),
      find: async (search) => {
        const { summary } = (await admin.tasks.overview.query({ search })).data;
        return summary.compliant + summary.nonCompliant;
      },
    },
    buildings: {
      add: (name) => createBuilding(setting.server.services, { name }),
      find: async (search) => (await admin.locations.listBuildings.query({ search })).data.rows.length,
    },
    operatives: {
      add: async (operativeName) => {
        const { id } = await setting.subject(KIND);
        await admin.checks.record.mutate(
          setting.visit(KIND, { operativeName, entries: [lineOf(KIND, 'pass', id)] }),
        );
      },
      find: async (operative) =>
        (await admin.checks.logRecords.query({ filter: { kind: KIND, operative } })).data.visits.length,
    },
  };

  test.each(Object.entries(FINDERS))('%s', async (_what, { add, find }) => {
    for (const name of SPELLED) await add(name);
    for (const search of WANTED) expect([search, await find(search)]).toEqual([search, SPELLED.length]);
    expect(await find('Prafbericht')).toBe(0);
  });

  test('clients, of which no two have the name', async () => {
    await createClient(setting.server.services, { name: NAME });
    for (const search of WANTED)
      expect((await admin.locations.listClients.query({ search })).data.rows).toHaveLength(1);
  });

  test('documents by the name of their discipline', async () => {
    const site = await createBuilding(setting.server.services);
    const { id } = await admin.documents.disciplines.add.mutate({
      ...operation(),
      id: uuidv7(),
      name: `${NAME} 2`,
    });
    await addFolder(admin, { buildingId: site.id, place: { at: 'discipline', disciplineId: id } });
    for (const search of WANTED) {
      const asked = { buildingId: site.id, place: { at: 'building' as const }, search };
      expect((await admin.documents.list.query(asked)).data.rows).toHaveLength(1);
    }
  });

  test('a responsible person by any spelling of the name', async () => {
    const site = await createBuilding(setting.server.services);
    for (const responsiblePerson of ["Ann O'Brien", 'Ann O’Brien', 'ANN  O’BRIEN'])
      await admin.tasks.create.mutate({
        ...{
          ...operation(),
          id: uuidv7(),
          buildingId: site.id,
          complianceSystem: 'Gas',
          taskDescription: 'Test',
        },
        ...{ frequency: 'weekly', responsiblePerson },
      });
    const { summary } = (await admin.tasks.overview.query({ responsible: "ann o'brien" })).data;
    expect(summary.nonCompliant).toBe(3);
    const options = await admin.tasks.responsible.query({ buildingId: site.id });
    expect(options.names).toHaveLength(1);
  });
});

describe('a file that is imported', () => {
  const check = (kind: 'assets' | 'buildings' | 'clients' | 'floors' | 'tasks', text: string) =>
    checkFile(setting.server.url, setting.adminCookie, kind, text);

  test('finds a building whose name has another space or another apostrophe', async () => {
    const { services } = setting.server;
    const client = await createClient(services, { name: 'Müller’s' });
    await createBuilding(services, { name: 'Harbour House', clientId: client.id });
    await createBuilding(services, { name: 'St Anne’s Court', clientId: client.id });
    const assets = await check(
      'assets',
      [
        'Client,Building Name,Name,Description',
        "Mu\u0308ller's,Harbour\u00a0House,Tap,A tap",
        "MÜLLER'S,St Anne's  Court,Tap,A tap",
      ].join('\n'),
    );
    expect(assets.rows.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test('meets what is here, and itself, however it is written', async () => {
    const client = "Client d'Été";
    await admin.locations.createBuilding.mutate({
      ...operation(),
      name: 'Maison\u00a0d’Été',
      clientName: client,
    });
    const rows = async (kind: Parameters<typeof check>[0], text: string) =>
      (await check(kind, text)).rows.map(({ skip, faults }) => [
        skip ?? null,
        faults.map(({ text: said }) => said),
      ]);
    expect(await rows('clients', ['Client', otherForm(client), 'Neu', 'NEU\u00a0'].join('\n'))).toEqual([
      ['here', []],
      [null, []],
      [null, [importMessages.twice(3)]],
    ]);
    const buildings = ['Client,Building Name', `${otherForm(client)},maison d'été`].join('\n');
    expect(await rows('buildings', buildings)).toEqual([['here', []]]);
    const { data } = await admin.locations.listBuildings.query({ search: 'maison' });
    const id = data.rows[0]?.id ?? '';
    await createAsset(setting.server.services, { buildingId: id, name: 'Vanne d’été' });
    const assets = ['Building Name,Name,Description,Room', "Maison d'Été,Vanne d'été,Of a test,Kitchen"].join(
      '\n',
    );
    expect(await rows('assets', assets)).toEqual([['here', []]]);
    await admin.tasks.create.mutate({
      ...{
        ...operation(),
        id: uuidv7(),
        buildingId: id,
        complianceSystem: 'Sécurité',
        taskDescription: 'L’essai',
      },
      frequency: 'weekly',
    });
    const tasks = [
      'Building Name,System,Description,Frequency',
      `Maison d'Été,${'Sécurité'.normalize('NFD')},L'essai,Weekly`,
    ].join('\n');
    expect(await rows('tasks', tasks)).toEqual([['here', []]]);
  });
});
