import { uuidv7 } from '#shared/ids.ts';
import type { LiveSetting } from '../live/live-setting.ts';
import { createAsset, lineOf, visitOf } from './checks.ts';
import { contextOf, storeFile } from './documents.ts';
import type { TestBuilding } from './factories.ts';

/** The ids of one row of every kind that the API shows. */
export type FilledBuilding = Record<
  'issue' | 'record' | 'task' | 'document' | 'asset' | 'client' | 'building' | 'floor',
  string
>;

/** Adds one row of every kind that the API shows to a building. */
export async function fillBuilding(
  setting: Pick<LiveSetting, 'admin' | 'server' | 'report'>,
  building: TestBuilding,
): Promise<FilledBuilding> {
  const { client } = setting.admin;
  const operation = () => ({ operationId: uuidv7(), id: uuidv7() });
  const issue = await setting.report(building);
  await client.issues.comment.mutate({ ...operation(), issueId: issue, body: 'Looked at it' });
  const task = operation();
  await client.tasks.create.mutate({
    ...task,
    buildingId: building.id,
    complianceSystem: 'Gas',
    taskDescription: 'Service the boiler',
    frequency: 'annually',
  });
  const asset = operation();
  await client.assets.create.mutate({
    ...asset,
    buildingId: building.id,
    name: 'Boiler',
    description: 'In the basement',
  });
  await client.locations.addFloors.mutate({
    operationId: uuidv7(),
    buildingId: building.id,
    floors: 1,
  });
  const [floor] = (await client.locations.listFloors.query({ buildingId: building.id })).data;
  const { services } = setting.server;
  const point = await createAsset(services, { buildingId: building.id, type: 'call_point' });
  const visit = visitOf('fire_alarm_test', {
    ...{ buildingId: building.id, now: services.clock.now().toISOString() },
    entries: [lineOf('fire_alarm_test', 'pass', point.id)],
  });
  await client.checks.record.mutate(visit);
  const ctx = await contextOf(setting.server, setting.admin.cookie);
  const { documentId } = await storeFile(ctx, { buildingId: building.id, fileName: 'Certificate.pdf' });
  const ids = {
    issue,
    record: visit.visitId,
    task: task.id,
    document: documentId,
    asset: asset.id,
    client: building.clientId,
    building: building.id,
  };
  return { ...ids, floor: floor?.id ?? '' };
}
