import { afterAll, beforeAll, expect, test } from 'vitest';
import { settings } from '#db/schema/issues.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { testClock } from '#tests/support/server/clock.ts';
import { download } from '#tests/support/server/files.ts';

// Days begin at the organisation's midnight, on the server and in the pages that learn its zone with the session.

let setting: LiveSetting;

beforeAll(async () => {
  // Noon in London is the next day on the Line Islands.
  setting = await createLiveSetting({ clock: testClock('2026-11-22T12:00:00.000Z') });
  await setting.server.services.db.update(settings).set({ timeZone: 'Pacific/Kiritimati' });
});
afterAll(() => setting.end());

test('the session tells the zone', async () => {
  const { data } = await setting.admin.client.session.me.query();
  expect(data.timeZone).toBe('Pacific/Kiritimati');
});

test('cards, logs, schedules and tasks are of the same day', async () => {
  const { checks, tasks } = setting.admin.client;
  const kind = 'fire_alarm_test' as const;
  const buildingId = setting.here.id;
  const days = await Promise.all([
    checks.cards.query().then(({ data }) => data.today),
    checks.logYear.query({ kind, year: 2026, buildingId }).then(({ data }) => data.today),
    checks.yearGrid.query({ kind, year: 2026 }).then(({ data }) => data.today),
    tasks.list.query({ buildingId }).then(({ data }) => data.today),
  ]);
  expect(days).toEqual(Array.from(days, () => '2026-11-23'));
});

test('a new asset was visited on that day', async () => {
  const id = uuidv7();
  await setting.admin.client.assets.create.mutate({
    operationId: uuidv7(),
    id,
    buildingId: setting.here.id,
    name: 'Pump',
    description: 'On the roof',
  });
  const { data } = await setting.admin.client.assets.get.query({ id });
  expect(data.lastVisitDate).toBe('2026-11-23');
});

test('a file is named by that day, and tells moments by the clocks of the organisation', async () => {
  await setting.report(setting.here, 'Lamp is out');
  const file = await download(setting.server.url, setting.admin.cookie, 'issues');
  expect(file.headers.get('content-disposition')).toContain('issues-2026-11-23.csv');
  expect(await file.text()).toContain('Nov 23, 2026 02:00');
});
