import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { refusalOf } from '#tests/support/client.ts';
import { createLiveSetting, type LiveSetting, within } from '#tests/support/live-setting.ts';
import { startTestServer } from '#tests/support/server.ts';

let setting: LiveSetting;

beforeAll(async () => {
  setting = await createLiveSetting();
});
afterEach(() => setting.closeStreams());
afterAll(() => setting.end());

test('live/T8 who has a row open is told, through every process, only to those who may see the row', async () => {
  const { here, there } = setting;
  const [manager, viewer, elsewhere, operative] = await Promise.all([
    setting.someone('manager', [here]),
    setting.someone('viewer', [here]),
    setting.someone('manager', [there]),
    setting.someone('operative', [here]),
  ]);
  const second = await startTestServer(setting.database);
  try {
    const [near, far, ...others] = await Promise.all([
      setting.followed(viewer.cookie),
      setting.followed(viewer.cookie, { server: second }),
      setting.followed(elsewhere.cookie),
      setting.followed(operative.cookie),
    ]);
    const id = await setting.report(here);
    const window = uuidv7();
    for (const present of [true, false]) {
      await manager.client.issues.present.mutate({ id, window, here: present });
      const last = () =>
        [near, far].map(({ frames }) => frames.findLast(({ presence }) => presence)?.presence);
      await expect.poll(() => last().map((one) => one?.here), within).toEqual([present, present]);
      expect(last()[1]).toMatchObject({ entity: 'issue', entityId: id, window, person: { id: manager.id } });
    }
    // Later events have reached the others, so presence would have arrived before them.
    await setting.report(here, 'A later one');
    await setting.report(there, 'Another later one');
    await expect.poll(() => others[0]?.events.length, within).toBeGreaterThan(0);
    for (const { frames } of others) expect(frames.filter(({ presence }) => presence)).toEqual([]);
    // Presence moves no position and is not in the event log.
    for (const { frames } of [near, far])
      for (const { presence, events, prev, id: at } of frames)
        if (presence !== undefined) expect([events, `${at.split('.')[0]}.${prev}`]).toEqual([[], at]);
    const [kept] = await setting.owner
      .sql`select count(*)::int n from events where command = 'issues.present'`;
    expect(kept?.['n']).toBe(0);
  } finally {
    await setting.closeStreams();
    await second.stop();
  }
});

test('live/T8 a person cannot be present at a row that they may not see', async () => {
  const elsewhere = await setting.someone('manager', [setting.there]);
  const operative = await setting.someone('operative', [setting.here]);
  const id = await setting.report(setting.here);
  const input = { id, window: uuidv7(), here: true };
  expect(await refusalOf(elsewhere.client.issues.present.mutate(input))).toEqual({ code: 'not_found' });
  expect((await refusalOf(operative.client.issues.present.mutate(input))).code).toBe('forbidden');
});
