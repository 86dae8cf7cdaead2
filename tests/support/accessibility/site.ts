import type { Services } from '#server/kernel/context.ts';
import { addDays, dayOf } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createAsset, lineOf, visitOf } from '../rows/checks.ts';
import { addFolder } from '../rows/documents.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '../rows/factories.ts';
import { addFileRows } from '../rows/file-rows.ts';
import { reportIssues } from '../screens/issues-screen.ts';
import { createTestClient, type TestClient } from '../server/client.ts';
import type { TestServer } from '../server/server.ts';
import { ASSET_ID, TASK_ID } from './screen.ts';

/** A person of each role, and Harbour House, which has something on every screen. */
export type AccessibleSite = {
  people: Record<'admin' | 'manager' | 'operative' | 'viewer', TestPerson>;
  building: TestBuilding;
};

export async function createAccessibleSite(server: TestServer): Promise<AccessibleSite> {
  const building = await createBuilding(server.services, { name: 'Harbour House', code: 'HAR' });
  const buildings = [building.id, (await createBuilding(server.services)).id];
  const people = {
    admin: await createPerson(server.services, { role: 'admin' }),
    manager: await createPerson(server.services, { role: 'manager', buildings }),
    operative: await createPerson(server.services, { role: 'operative', buildings }),
    viewer: await createPerson(server.services, { role: 'viewer', buildings }),
  };
  await reportIssues(server, people.admin, building, [
    { title: 'Lift 2 stuck', description: 'Between two floors', priority: 'critical' },
    { title: 'Roof leak', priority: 'high' },
    { title: 'Gate hinge' },
    { title: 'Scuffed paint', priority: 'low' },
  ]);
  const api = createTestClient(server.url, await signInAs(server, people.admin));
  const asset = { id: ASSET_ID, buildingId: building.id, name: 'Basin tap', description: 'By the window' };
  await api.assets.create.mutate({ operationId: uuidv7(), ...asset });
  const { id: taskId } = await api.tasks.create.mutate({
    operationId: uuidv7(),
    id: TASK_ID,
    buildingId: building.id,
    complianceSystem: 'Lifts',
    taskDescription: 'Thorough examination',
    frequency: 'biannually',
  });
  const today = dayOf(server.services.clock.now().getTime());
  await api.tasks.complete.mutate({ operationId: uuidv7(), id: taskId, occurrence: 1, day: today });
  const site = { people, building };
  await recordChecks(server, api, site);
  await addTasks(api, building);
  await addDocuments(server.services, api, site);
  return site;
}

/** Records a failed fire alarm test and a reading at the first building. */
async function recordChecks(
  server: TestServer,
  api: TestClient,
  { people, building }: AccessibleSite,
): Promise<void> {
  const { services } = server;
  const now = services.clock.now().toISOString();
  const site = { buildingId: building.id, now };
  const sink = await createAsset(services, { ...site, type: 'water_outlet', name: 'Kitchen sink' });
  const test = { ...lineOf('fire_alarm_test', 'fail', sink.id), assetId: null };
  await api.checks.record.mutate(visitOf('fire_alarm_test', { ...site, entries: [test] }));
  for (const name of ['Exit sign', 'Bulkhead']) {
    await createAsset(services, { ...site, type: 'emergency_light', name });
  }
  const reading = lineOf('water_temperature_check', 'pass', sink.id);
  await api.checks.record.mutate(visitOf('water_temperature_check', { ...site, entries: [reading] }));
  // A held record, at a building that its recorder has no access to.
  const { id: elsewhere } = await createBuilding(services, { name: 'Mill Lane Studios' });
  const operative = createTestClient(server.url, await signInAs(server, people.operative));
  const held = { ...lineOf('fire_alarm_test', 'fail', sink.id), assetId: null };
  await operative.checks.record.mutate(
    visitOf('fire_alarm_test', { ...site, buildingId: elsewhere, entries: [held] }),
  );
}

/** Adds a task that is overdue, one that a check satisfies, and one that is marked. */
async function addTasks(api: TestClient, building: TestBuilding): Promise<void> {
  const add = (values: { taskDescription: string; lastDone?: string; check?: 'alarm_test' }) => {
    const id = uuidv7();
    const base = { operationId: uuidv7(), id, buildingId: building.id, complianceSystem: 'Fire Alarm' };
    return api.tasks.create.mutate({ ...base, frequency: 'weekly', responsiblePerson: 'Ann', ...values });
  };
  await add({ taskDescription: 'Service', lastDone: '2025-01-31' });
  await add({ taskDescription: 'Weekly test', check: 'alarm_test' });
  const { id } = await add({ taskDescription: 'Panel' });
  await api.tasks.mark.mutate({ operationId: uuidv7(), id, reason: 'The buzzer is broken' });
}

/** Adds two folders and a file to a discipline of the first building, and a certificate to a completion. */
async function addDocuments(
  services: Services,
  api: TestClient,
  { people, building }: AccessibleSite,
): Promise<void> {
  const disciplineId = uuidv7();
  await api.documents.disciplines.add.mutate({
    operationId: uuidv7(),
    id: disciplineId,
    name: 'Fire Safety',
  });
  const place = { at: 'discipline', disciplineId } as const;
  for (const name of ['Plans', 'Drawings']) await addFolder(api, { buildingId: building.id, name, place });
  const { completionId } = (await api.tasks.get.query({ id: TASK_ID })).data;
  const today = dayOf(services.clock.now().getTime());
  await addFileRows(services, { buildingId: building.id, by: people.admin.id }, [
    { fileName: 'Service.pdf', disciplineId, expiresOn: addDays(today, 9) },
    { fileName: 'Examination.pdf', completionId, expiresOn: addDays(today, -9) },
  ]);
}
