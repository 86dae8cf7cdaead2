import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WALL_ISSUES_MAX } from '#shared/features/displays/wall.ts';
import { uuidv7 } from '#shared/ids.ts';
import { liveEntities } from '#shared/live/live-entities.ts';
import { isProjected } from '#shared/live/live-projection.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { createDisplay, DISPLAY_SOCKET, fetchWall } from '#tests/support/rows/displays.ts';
import { createBuilding } from '#tests/support/rows/factories.ts';
import { createMarkedPeople, MARKS, type MarkedPerson } from '#tests/support/rows/marked-people.ts';
import { createIssueRows } from '#tests/support/rows/population.ts';

const LIMIT = { burst: 100_000, perSecond: 1_000 };
let setting: LiveSetting;
let people: MarkedPerson[];

beforeAll(async () => {
  setting = await createLiveSetting({ limits: { person: LIMIT, anonymous: LIMIT } });
  people = await createMarkedPeople(setting.server);
});
afterEach(() => setting.closeStreams());
afterAll(() => setting.end());

describe('an entity', () => {
  test('live/D2 that says nothing of views is not sent to displays', () => {
    const shown = Object.keys(liveEntities).filter(isProjected);
    expect(shown.sort()).toEqual(['buildingPulse', 'issue', 'place']);
    expect(isProjected('toString')).toBe(false);
  });
});

test('of more urgent issues than fit, a wall is told the newest that asks for a person, and how many do', async () => {
  const { sql } = setting.owner;
  const building = await createBuilding(setting.server.services, { name: 'Crowded' });
  const ids = await createIssueRows(sql, building, WALL_ISSUES_MAX + 20);
  const by = people[0]?.person.id ?? '';
  // The newest issue has the most time left, so it is not among the most urgent.
  await sql`
    update building_issues i set priority = 'critical', created_at = now() - (300 - n) * interval '1 minute',
      resolve_due_at = now() + n * interval '1 minute', acknowledged_at = case when n <= 5 then now() end,
      acknowledged_by = case when n <= 5 then ${by}::uuid end
    from unnest(${ids}::uuid[]) with ordinality as of (id, n) where i.id = of.id`;
  const newest = ids.at(-1);
  for (const view of ['public', 'manager'] as const) {
    const display = await createDisplay(setting.server.services, { view, buildings: [building.id] });
    const { issues } = (await fetchWall(setting.server.url, display)).data;
    expect(issues).toMatchObject({ critical: ids.length, high: 0, unanswered: ids.length - 5 });
    expect(issues.rows.map(({ id }) => id)).toEqual(ids.slice(0, WALL_ISSUES_MAX));
    expect(issues.newest?.id).toBe(newest);
    expect(issues.newest !== null && 'title' in issues.newest).toBe(view === 'manager');
  }
  await sql`update building_issues set priority = 'low' where id = any(${ids.slice(20)}::uuid[])`;
  const display = await createDisplay(setting.server.services, { buildings: [building.id] });
  const { issues } = (await fetchWall(setting.server.url, display)).data;
  expect(issues).toMatchObject({ critical: 20, unanswered: 15, newest: null });
});

test('live/D2 what came in the gap is shown by the view too', async () => {
  const display = await createDisplay(setting.server.services, { view: 'public' });
  const stream = await setting.followed(display.cookie, { path: DISPLAY_SOCKET });
  const position = stream.position() ?? '';
  await stream.close();
  const id = await setting.report(setting.here, MARKS.title);
  await people[0]?.client.issues.comment.mutate({
    operationId: uuidv7(),
    id: uuidv7(),
    issueId: id,
    body: MARKS.comment,
  });
  const newest = await setting.newest();
  const again = await setting.followed(display.cookie, { path: DISPLAY_SOCKET, lastEventId: position });
  await expect.poll(() => again.g()).toBeGreaterThanOrEqual(newest);
  const told = again.events.filter(({ entity }) => entity !== 'buildingPulse');
  expect(told.map(({ entity, entityId }) => [entity, entityId])).toEqual([['issue', id]]);
  for (const mark of Object.values(MARKS)) expect(JSON.stringify(again.frames)).not.toContain(mark);
});

test('live/D2 who has an issue open is told to people alone', async () => {
  const display = await createDisplay(setting.server.services);
  const stream = await setting.followed(display.cookie, { path: DISPLAY_SOCKET });
  const person = await setting.followed(setting.admin.cookie);
  const id = await setting.report(setting.here);
  const tell = { window: uuidv7(), n: 1, at: { kind: 'issue', id, part: 'description' } } as const;
  await people[0]?.client.presence.tell.mutate(tell);
  await expect.poll(() => person.frames.filter(({ present }) => present).length).toBe(1);
  // A display that joins while people are present does not receive them either.
  const joined = await setting.followed(display.cookie, { path: DISPLAY_SOCKET });
  // A later event has reached the display, so presence would have arrived before it.
  const later = await setting.report(setting.here);
  await expect.poll(() => stream.events.map(({ entityId }) => entityId)).toContain(later);
  await expect.poll(() => joined.events.map(({ entityId }) => entityId)).toContain(later);
  expect([...stream.frames, ...joined.frames].filter(({ present }) => present)).toEqual([]);
});
