import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { compareUrgent, isUrgent, type WallIssue } from '#shared/features/displays/wall.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { LiveEvent } from '#shared/live/live.ts';
import type { View } from '#shared/views.ts';
import { openRaw } from '#tests/support/live/live-client.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { type Random, seededRandom } from '#tests/support/random.ts';
import { createDisplay, DISPLAY_SOCKET, fetchWall, type TestDisplay } from '#tests/support/rows/displays.ts';
import { createMarkedPeople, MARKS, type MarkedPerson } from '#tests/support/rows/marked-people.ts';

const LIMIT = { burst: 100_000, perSecond: 1_000 };
/** Number of changes that are made at the same time. */
const AT_ONCE = 8;
let setting: LiveSetting;
let people: MarkedPerson[];

beforeAll(async () => {
  setting = await createLiveSetting({ limits: { person: LIMIT, anonymous: LIMIT } });
  people = await createMarkedPeople(setting.server);
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

/** Makes one random change, mostly of an issue. */
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

/** The issues that a display shows after it has applied the events to a snapshot. */
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
    // Of two changes to the same field at once, one may be refused, and changes nothing.
    await Promise.allSettled(some);
  }
  const last = await setting.report(setting.here, MARKS.title);
  for (const { events } of Object.values(sockets))
    await expect.poll(() => events().map(({ entityId }) => entityId)).toContain(last);
  await expect.poll(() => person.events.map(({ entityId }) => entityId)).toContain(last);

  const walls = {
    public: await fetchWall(setting.server.url, displays.public),
    manager: await fetchWall(setting.server.url, displays.manager),
  };
  const bytes = (view: View) =>
    `${sockets[view].messages.map((one) => JSON.stringify(one)).join()}${walls[view].text}`;
  // Proves that the marks can be found: a person receives all of them.
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
    // Frames and snapshots show the same fields of the same rows, in the same order.
    expect(folded([], sockets[view].events()).slice(0, rows.length)).toEqual(rows);
    expect(folded([], sockets[view].events())).toHaveLength(critical + high);
    sockets[view].ws.close();
  }
});
