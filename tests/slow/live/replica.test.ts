import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  changesOf,
  createLiveSetting,
  expectNoGap,
  type LiveSetting,
} from '#tests/support/live/live-setting.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let setting: LiveSetting;
let behind: TestServer;
beforeAll(async () => {
  setting = await createLiveSetting();
  const { owner, database } = setting;
  // Simulates a balancer that leads to a replica: the database answers as a replica, and a moment later as the primary.
  await owner.sql`create schema balancer`;
  await owner.sql`create table balancer.leads_to_replica as select false as yes`;
  await owner.sql`create function balancer.pg_is_in_recovery() returns boolean language sql security definer
    as 'select yes from balancer.leads_to_replica'`;
  await owner.sql`grant usage on schema balancer to public`;
  const appUrl = new URL(database.appUrl);
  appUrl.searchParams.set('search_path', 'balancer,pg_catalog,public');
  behind = await startTestServer({ appUrl: appUrl.href });
});
afterAll(async () => {
  await setting.closeStreams();
  await behind.stop();
  await setting.end();
});

test('live/R1 a replica is never read from: no frame, no new epoch, and afterwards everything in order', async () => {
  const { here, owner } = setting;
  const [before] = await owner.sql`select epoch from stream_head`;
  const viewer = await setting.someone('viewer', [here]);
  const stream = await setting.followed(viewer.cookie, { server: behind });
  const first = await setting.report(here);
  await expect.poll(() => changesOf(stream).map(({ entityId }) => entityId)).toEqual([first]);
  await owner.sql`update balancer.leads_to_replica set yes = true`;
  const second = await setting.report(here);
  await expect.poll(() => behind.logged.filter((line) => line.includes('replica')).length).toBeGreaterThan(1);
  expect(changesOf(stream)).toHaveLength(1);
  await owner.sql`update balancer.leads_to_replica set yes = false`;
  await expect.poll(() => changesOf(stream).map(({ entityId }) => entityId)).toEqual([first, second]);
  expectNoGap(stream);
  expect(stream.frames.filter(({ reset }) => reset !== undefined)).toEqual([]);
  expect(await owner.sql`select epoch from stream_head`).toEqual([before]);
});
