import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHealth } from '#server/features/health/health.queries.ts';
import { HOUR_MS } from '#shared/dates.ts';
import { healthMessages } from '#shared/features/health/health-messages.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';

let setting: LiveSetting;

beforeAll(async () => {
  setting = await createLiveSetting();
  await setting.someone('admin');
});
afterAll(() => setting.end());

type Services = LiveSetting['server']['services'];
/** The problems of the installation with some parts replaced. */
const problemsWith = async (parts: Partial<Services>) =>
  (await readHealth({ ...setting.server.services, ...parts })).problems;

test('of an installation that is well', async () => {
  const status = await setting.admin.client.health.status.query();
  expect(status).toMatchObject({
    ...{ version: expect.stringMatching(/^\d+\.\d+\.\d+/), publicUrl: null, mailFrom: null, problems: [] },
    database: { version: expect.stringMatching(/^\d+/), isOwn: true, bytes: expect.any(Number) },
  });
  expect(status.diskFree).toBeGreaterThan(0);
});

test.each<[string, (services: Services) => Partial<Services>, object]>([
  [
    'a full disk',
    ({ disk }) => ({ disk: { ...disk, isLow: async () => true, left: async () => 1_000_000 } }),
    healthMessages.diskLow(1_000_000),
  ],
  [
    'a database that takes no writes',
    ({ saves }) => ({ saves: { ...saves, canSave: async () => false } }),
    healthMessages.cannotSave,
  ],
  [
    'clocks that do not agree',
    ({ clockHealth }) => ({ clockHealth: { ...clockHealth, doubt: () => 'it went back' } }),
    healthMessages.clock('it went back'),
  ],
  [
    'jobs that do not run',
    ({ clock }) => ({ clock: { ...clock, now: () => new Date(clock.now().getTime() + 4 * HOUR_MS) } }),
    healthMessages.jobsLate,
  ],
  [
    'plain http',
    ({ env }) => ({ env: { ...env, publicUrl: 'http://lintel.example.com' } }),
    healthMessages.plainHttp,
  ],
])('%s is named, with what to do', async (_name, parts, problem) => {
  expect(await problemsWith(parts(setting.server.services))).toContainEqual(problem);
});

test('changes that wait for their position are named', async () => {
  const { services } = setting.server;
  const found: object[] = [];
  // Read inside the transaction that makes the change, because the server gives a committed change its position at once.
  const rolledBack = services.db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into outbox (stream, at, command, entity, entity_id, op, version, payload)
      values ('org', now() - interval '1 minute', 'test.wait', 'nothing', gen_random_uuid(), 'other', 0, '{}')`);
    found.push(...(await readHealth({ ...services, db: tx })).problems);
    tx.rollback();
  });
  await expect(rolledBack).rejects.toThrow();
  expect(found).toEqual([healthMessages.notSequenced]);
});

test('a single administrator is named', async () => {
  const { id } = await setting.someone('admin');
  await setting.owner.sql`update profiles set deactivated_at = now() where id <> ${id}`;
  expect(await problemsWith({})).toEqual([healthMessages.oneAdministrator]);
});
