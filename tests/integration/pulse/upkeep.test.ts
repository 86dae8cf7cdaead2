import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { contextOf, storeFile } from '#tests/support/rows/documents.ts';
import { createBuilding, type TestBuilding } from '#tests/support/rows/factories.ts';
import { testClock } from '#tests/support/server/clock.ts';

// The counts on the cards of the dashboard: assets due for service, documents that expire, people.

const TODAY = '2026-11-18';
let setting: LiveSetting;
let site: TestBuilding;
const clock = testClock(`${TODAY}T10:00:00.000Z`);

beforeAll(async () => {
  setting = await createLiveSetting({ clock });
  site = await createBuilding(setting.server.services);
});
afterAll(() => setting.end());

type Given = { frequency: 'weekly' | 'monthly' | 'annual'; lastVisitDate: string | null };
async function addAsset(given: Given, building = site): Promise<string> {
  const id = uuidv7();
  const about = { name: 'Fire door', description: 'By the stairs' };
  await setting.admin.client.assets.create.mutate({
    ...{ operationId: uuidv7(), id, buildingId: building.id },
    ...about,
    ...given,
  });
  return id;
}

test('assets are due from the day that their frequency asks for, and retired ones are not', async () => {
  const manager = await setting.someone('manager', [site]);
  const due = async () => (await manager.client.pulse.upkeep.query()).data.assetsDue;
  await addAsset({ frequency: 'weekly', lastVisitDate: addDays(TODAY, -6) });
  await addAsset({ frequency: 'monthly', lastVisitDate: '2026-10-19' });
  await addAsset({ frequency: 'annual', lastVisitDate: '2025-11-19' });
  expect(await due()).toBe(0);
  await addAsset({ frequency: 'weekly', lastVisitDate: addDays(TODAY, -7) });
  await addAsset({ frequency: 'monthly', lastVisitDate: '2026-10-18' });
  const never = await addAsset({ frequency: 'annual', lastVisitDate: null });
  expect(await due()).toBe(3);
  await setting.admin.client.assets.retire.mutate({ operationId: uuidv7(), id: never });
  expect(await due()).toBe(2);
});

test('everybody counts what they may see, and people only who manages them', async () => {
  const other = await createBuilding(setting.server.services);
  await addAsset({ frequency: 'annual', lastVisitDate: null }, other);
  const { cookie, client } = setting.admin;
  const context = await contextOf(setting.server, cookie);
  for (const days of [-1, 0, 30, 31]) {
    const upload = { buildingId: other.id, fileName: `${days} days.pdf` };
    const { documentId: id } = await storeFile(context, upload);
    const changes = { expiresOn: { from: null, to: addDays(TODAY, days) } };
    await client.documents.update.mutate({ operationId: uuidv7(), id, changes });
  }
  const here = await setting.someone('viewer', [other]);
  const elsewhere = await setting.someone('viewer', [await createBuilding(setting.server.services)]);
  const seen = { expired: 1, expiresSoon: 2 };
  expect((await here.client.pulse.upkeep.query()).data).toMatchObject({ documents: seen, people: null });
  expect((await elsewhere.client.pulse.upkeep.query()).data).toMatchObject({
    ...{ assetsDue: 0, documents: { expired: 0, expiresSoon: 0 } },
  });
  expect((await setting.admin.client.pulse.upkeep.query()).data.people).toBeGreaterThan(2);
});
