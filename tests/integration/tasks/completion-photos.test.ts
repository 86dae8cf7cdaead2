import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayOf } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import {
  createLiveSetting,
  type LiveSetting,
  type SignedInPerson,
} from '#tests/support/live/live-setting.ts';
import { Device } from '#tests/support/offline/device.ts';
import { announcement, picture, putPhoto } from '#tests/support/rows/photos.ts';
import { refusalOf } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';
import { bringUnsent } from '#tests/support/server/unsent.ts';
import { unsentFile } from '#web/features/sync/save-unsent.ts';

// Photos are evidence of a completion (ruling T28).

const clock = dayClock();
const TODAY = dayOf(clock.now());

let setting: LiveSetting;
let dataDir: string;
let manager: SignedInPerson;
let viewer: SignedInPerson;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-completion-photos-'));
  setting = await createLiveSetting({ clock, env: { dataDir } });
  manager = await setting.someone('manager', [setting.here]);
  viewer = await setting.someone('viewer', [setting.here]);
});
afterAll(async () => {
  await setting.end();
  await rm(dataDir, { recursive: true, force: true });
});

async function newTask(): Promise<string> {
  const { id } = await manager.client.tasks.create.mutate({
    operationId: uuidv7(),
    id: uuidv7(),
    buildingId: setting.here.id,
    complianceSystem: 'Lifts',
    taskDescription: 'Thorough examination',
    frequency: 'biannually',
  });
  return id;
}
const completed = (id: string, by = manager, operationId = uuidv7()) =>
  by.client.tasks.complete.mutate({ operationId, id, occurrence: 1, day: TODAY });

async function send(by: SignedInPerson, completionId: string): Promise<string> {
  const bytes = picture(500);
  const photo = announcement(bytes, { completionId });
  await by.client.photos.announce.mutate(photo);
  const answer = await putPhoto(setting.server.url, by.cookie, photo.id, 0, bytes);
  expect(await answer.json()).toMatchObject({ stored: true });
  return photo.id;
}
const listed = async (by: SignedInPerson, onId: string) =>
  (await by.client.photos.list.query({ on: 'completion', onId })).data.map(({ id }) => id);

test('a completion answers its line, and its photos are seen by those who see the task', async () => {
  const { id, completionId } = await completed(await newTask());
  expect((await manager.client.tasks.get.query({ id })).data.completionId).toBe(completionId);
  const photo = await send(manager, completionId);
  expect(await listed(viewer, completionId)).toEqual([photo]);
  const stranger = await setting.someone('manager', [setting.there]);
  expect(await listed(stranger, completionId)).toEqual([]);
  const read = (by: SignedInPerson) =>
    fetch(`${setting.server.url}/files/photos/${photo}`, { headers: { cookie: by.cookie } });
  expect((await read(viewer)).status).toBe(200);
  expect((await read(stranger)).status).toBe(404);
});

test('who completes the same occurrence on the same day gets the same line, so all photos are at one place', async () => {
  const id = await newTask();
  const colleague = await setting.someone('manager', [setting.here]);
  const [first, second] = await Promise.all([completed(id), completed(id, colleague)]);
  expect(second).toEqual(first);
  const photos = [await send(manager, first.completionId), await send(colleague, second.completionId)];
  expect((await listed(viewer, first.completionId)).toSorted()).toEqual(photos.toSorted());
});

test('may be added by those who edit tasks, and removed by no one', async () => {
  const { completionId } = await completed(await newTask());
  const photo = () => announcement(picture(20), { completionId });
  expect(await refusalOf(viewer.client.photos.announce.mutate(photo()))).toMatchObject({ code: 'forbidden' });
  const stranger = await setting.someone('manager', [setting.there]);
  expect(await refusalOf(stranger.client.photos.announce.mutate(photo()))).toMatchObject({
    code: 'not_found',
  });
  const kept = await send(manager, completionId);
  const removal = { operationId: uuidv7(), id: kept };
  expect(await refusalOf(manager.client.photos.remove.mutate(removal))).toMatchObject({ code: 'forbidden' });
  expect(await listed(manager, completionId)).toEqual([kept]);
});

test('only a completion has photos, no other line of the record', async () => {
  const id = await newTask();
  await manager.client.tasks.mark.mutate({ operationId: uuidv7(), id, reason: 'A fault' });
  const { markId } = (await manager.client.tasks.get.query({ id })).data;
  const photo = announcement(picture(20), { completionId: markId ?? '' });
  expect(await refusalOf(manager.client.photos.announce.mutate(photo))).toMatchObject({ code: 'not_found' });
});

test('comes with its completion in the file of a phone that cannot connect', async () => {
  const id = await newTask();
  const bytes = picture(900);
  const attachment = {
    id: uuidv7(),
    blob: new Blob([new Uint8Array(bytes)], { type: 'image/png' }),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    about: { width: 1, height: 1 },
  };
  const device = new Device();
  device.online = false;
  const page = device.openPage({
    transport: { send: () => Promise.reject(new Error('offline')), sendAttachment: () => Promise.resolve() },
  });
  await page.offline.setPerson(manager.id);
  await page.offline.enqueue({
    command: 'tasks.complete',
    input: { id, occurrence: 1, day: TODAY },
    title: 'Completion',
    attachments: [attachment],
  });
  const me = { id: manager.id, firstName: 'Test', lastName: 'Person' };
  const { file } = await unsentFile(page.offline.items, me);
  for (const known of [0, 1]) {
    expect(await bringUnsent(setting.server.url, setting.admin.cookie, file)).toMatchObject({
      imported: 1 - known,
      known,
      refused: [],
    });
  }
  const { completionId } = (await manager.client.tasks.get.query({ id })).data;
  expect(await listed(viewer, completionId ?? '')).toEqual([attachment.id]);
});
