import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Wall } from '#shared/features/displays.ts';
import { compareUrgent, isUrgent, WALL_ISSUES_MAX, type WallIssue } from '#shared/features/wall.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { LiveEvent } from '#shared/live.ts';
import { liveEntities } from '#shared/live-entities.ts';
import { isProjected } from '#shared/live-projection.ts';
import type { View } from '#shared/views.ts';
import { openRaw } from '#tests/support/live/live-client.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { type Random, seededRandom } from '#tests/support/random.ts';
import {
  createDisplay,
  DISPLAY_SOCKET,
  displayHeaders,
  type TestDisplay,
} from '#tests/support/rows/displays.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { createIssueRows } from '#tests/support/rows/population.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';

const LIMIT = { burst: 100_000, perSecond: 1_000 };
/** Changes that are on their way together. */
const AT_ONCE = 8;
/** In every text of its kind, and nowhere else. */
const MARKS = { title: 'qtitlez', description: 'qdescriptionz', comment: 'qcommentz', name: 'qnamez' };

let setting: LiveSetting;
let people: { person: TestPerson; client: TestClient }[];

beforeAll(async () => {
  setting = await createLiveSetting({ limits: { person: LIMIT, anonymous: LIMIT } });
  people = await Promise.all(
    [1, 2, 3].map(async (n) => {
      const person = await createPerson(setting.server.services, {
        role: 'admin',
        firstName: `${MARKS.name} ${n}`,
        lastName: MARKS.name,
        email: `${MARKS.name}.${n}@example.com`,
      });
      return { person, client: createTestClient(setting.server.url, await signInAs(setting.server, person)) };
    }),
  );
});
afterEach(() => setting.closeStreams());
afterAll(() => setting.end());

/** A display on its raw socket: every byte that it receives. */
async function watch(display: TestDisplay) {
  const { ws, messages } = await openRaw(setting.server.url, display.cookie, DISPLAY_SOCKET);
  ws.send(JSON.stringify({ id: 1, method: 'subscription', params: { path: 'live.stream', input: {} } }));
  await expect.poll(() => messages.length).toBeGreaterThan(1);
  const events = () =>
    messages.flatMap((one) => {
      // The cast: the frames of the stream, after "started".
      const { result } = one as { result?: { data?: { data: { events: LiveEvent[] } } } };
      return result?.data?.data.events ?? [];
    });
  return { ws, messages, events };
}

async function wallOf(display: TestDisplay): Promise<{ text: string; data: Wall }> {
  const headers = displayHeaders(setting.server.url, display);
  const response = await fetch(`${setting.server.url}/trpc/displays.wall`, { headers });
  const text = await response.text();
  return { text, data: JSON.parse(text).result.data.data };
}

/** Makes one random change, of issues for the most part. */
async function changeSomething(random: Random, n: number, issues: string[]): Promise<void> {
  const { client, person } = random.pick(people);
  const operationId = uuidv7();
  const known = issues.length === 0 ? undefined : random.pick(issues);
  const kind = random.weighted({ report: 4, edit: 8, comment: 3, asset: 1, name: 1 });
  const building = random.chance(0.5) ? setting.here : setting.there;
  if (kind === 'asset') {
    const name = `${MARKS.name} ${n}`;
    await client.assets.create.mutate({
      operationId,
      id: uuidv7(),
      buildingId: building.id,
      name,
      description: MARKS.description,
    });
  } else if (kind === 'name') {
    await client.users.renameMe.mutate({
      operationId,
      firstName: `${MARKS.name} ${n}`,
      lastName: MARKS.name,
    });
  } else if (known === undefined || kind === 'report') {
    const id = uuidv7();
    await client.issues.create.mutate({
      operationId,
      id,
      buildingId: building.id,
      title: `${MARKS.title} ${n}`,
      description: MARKS.description,
      priority: random.pick(['low', 'high', 'critical'] as const),
    });
    issues.push(id);
  } else if (kind === 'comment') {
    await client.issues.comment.mutate({
      operationId,
      id: uuidv7(),
      issueId: known,
      body: `${MARKS.comment} ${n}`,
    });
  } else {
    const { data: issue } = await client.issues.get.query({ id: known });
    const part = random.pick(['title', 'description', 'status', 'priority', 'assignedTo'] as const);
    const to = {
      title: `${MARKS.title} ${n}`,
      description: `${MARKS.description} ${n}`,
      status: random.pick(['open', 'in_progress', 'resolved', 'closed'] as const),
      priority: random.pick(['low', 'high', 'critical'] as const),
      assignedTo: person.id,
    };
    const changes = { [part]: { from: issue[part], to: to[part] } };
    await client.issues.update.mutate({ operationId, id: known, changes });
  }
}

/** What the frames make of a snapshot: the issues that a display shows after them. */
function folded(before: readonly WallIssue[], events: readonly LiveEvent[]): WallIssue[] {
  const rows = new Map(before.map((row) => [row.id, row]));
  for (const event of events) {
    if (event.entity !== 'issue' || event.op !== 'put' || !('row' in event)) continue;
    // The cast: the row as the view shows it.
    const row = event.row as WallIssue;
    if (isUrgent(row)) rows.set(row.id, row);
    else rows.delete(row.id);
  }
  return [...rows.values()].sort(compareUrgent);
}

test('live/D2 of 1,000 changes, a display receives nothing that its view does not show', async () => {
  const changes = 1_000;
  const displays = {
    public: await createDisplay(setting.server.services, { view: 'public' }),
    manager: await createDisplay(setting.server.services, { view: 'manager' }),
  };
  const sockets = { public: await watch(displays.public), manager: await watch(displays.manager) };
  const person = await setting.followed(setting.admin.cookie);
  const random = seededRandom('marked words');
  const issues: string[] = [];
  for (let n = 0; n < changes; n += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, at) => changeSomething(random, n + at, issues));
    // Two that change the same field at once: one of them is refused, which is no change.
    await Promise.allSettled(some);
  }
  const last = await setting.report(setting.here, MARKS.title);
  for (const { events } of Object.values(sockets))
    await expect.poll(() => events().map(({ entityId }) => entityId)).toContain(last);
  await expect.poll(() => person.events.map(({ entityId }) => entityId)).toContain(last);

  const walls = { public: await wallOf(displays.public), manager: await wallOf(displays.manager) };
  const bytes = (view: View) =>
    `${sockets[view].messages.map((one) => JSON.stringify(one)).join()}${walls[view].text}`;
  // The marks are there to be found: a person receives all of them.
  const personal = JSON.stringify(person.frames);
  for (const mark of Object.values(MARKS)) expect(personal).toContain(mark);
  expect(sockets.public.events().length).toBeGreaterThan(changes / 2);
  for (const mark of Object.values(MARKS)) expect(bytes('public')).not.toContain(mark);
  const { title, ...hidden } = MARKS;
  expect(bytes('manager')).toContain(title);
  for (const mark of Object.values(hidden)) expect(bytes('manager')).not.toContain(mark);
  expect(bytes('public')).not.toContain(people[0]?.person.id);

  for (const view of ['public', 'manager'] as const) {
    const { rows, critical, high } = walls[view].data.issues;
    // Frames and snapshots show the same of the same rows, in the same order.
    expect(folded([], sockets[view].events()).slice(0, rows.length)).toEqual(rows);
    expect(folded([], sockets[view].events())).toHaveLength(critical + high);
    sockets[view].ws.close();
  }
});

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
  // The newest has most time left, so that it is not among the most urgent.
  await sql`
    update building_issues i set priority = 'critical', created_at = now() - (300 - n) * interval '1 minute',
      resolve_due_at = now() + n * interval '1 minute', acknowledged_at = case when n <= 5 then now() end,
      acknowledged_by = case when n <= 5 then ${by}::uuid end
    from unnest(${ids}::uuid[]) with ordinality as of (id, n) where i.id = of.id`;
  const newest = ids.at(-1);
  for (const view of ['public', 'manager'] as const) {
    const display = await createDisplay(setting.server.services, { view, buildings: [building.id] });
    const { issues } = (await wallOf(display)).data;
    expect(issues).toMatchObject({ critical: ids.length, high: 0, unanswered: ids.length - 5 });
    expect(issues.rows.map(({ id }) => id)).toEqual(ids.slice(0, WALL_ISSUES_MAX));
    expect(issues.newest?.id).toBe(newest);
    expect(issues.newest !== null && 'title' in issues.newest).toBe(view === 'manager');
  }
  await sql`update building_issues set priority = 'low' where id = any(${ids.slice(20)}::uuid[])`;
  const display = await createDisplay(setting.server.services, { buildings: [building.id] });
  const { issues } = (await wallOf(display)).data;
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
  // A display that joins while they are there is not told either.
  const joined = await setting.followed(display.cookie, { path: DISPLAY_SOCKET });
  // A later event has reached the display, so presence would have arrived before it.
  const later = await setting.report(setting.here);
  await expect.poll(() => stream.events.map(({ entityId }) => entityId)).toContain(later);
  await expect.poll(() => joined.events.map(({ entityId }) => entityId)).toContain(later);
  expect([...stream.frames, ...joined.frames].filter(({ present }) => present)).toEqual([]);
});
