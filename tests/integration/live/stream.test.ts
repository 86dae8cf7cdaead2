import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { profiles } from '#db/schema/people.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { StreamClient } from '#tests/support/live/live-client.ts';
import {
  changesOf,
  createLiveSetting,
  expectNoGap,
  type LiveSetting,
  type SignedInPerson,
  tell,
} from '#tests/support/live/live-setting.ts';
import { startTcpProxy } from '#tests/support/network/tcp-proxy.ts';
import { lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { signInAs } from '#tests/support/rows/factories.ts';
import { startTestServer } from '#tests/support/server/server.ts';

let setting: LiveSetting;
beforeAll(async () => {
  setting = await createLiveSetting();
});
afterEach(() => setting.closeStreams());
afterAll(() => setting.end());

/** Ids of the issue events; a stream also carries the person's own row, whatever their access. */
const issuesOf = ({ events }: StreamClient) =>
  events.filter(({ entity }) => entity === 'issue').map(({ entityId }) => entityId);
const operation = () => ({ operationId: uuidv7() });
const accessEvents = (userId: string) =>
  setting.owner.sql<{ g: string; body: string }[]>`
    select e.g, p.body from events e join event_payloads p on p.g = e.g
    where e.op = 'access' and ${userId}::uuid = any(e.persons) order by e.g`;
const crowds = (stream: StreamClient | undefined) => stream?.frames.flatMap(({ crowd }) => crowd ?? []);
const titleOf = async ({ client }: SignedInPerson, id: string) =>
  (await client.issues.get.query({ id })).data.title;

describe('following the stream', () => {
  test('live/T1 the first frame gives a position, and a change comes with its whole row', async () => {
    const { here } = setting;
    const viewer = await setting.someone('viewer', [here]);
    const stream = await setting.followed(viewer.cookie);
    expect(stream.frames[0]).toMatchObject({ events: [], prev: stream.g(), head: stream.g() });
    const id = await setting.report(here, 'The door sticks');
    await expect.poll(() => changesOf(stream).length).toBe(1);
    expect(changesOf(stream)[0]).toMatchObject({
      entity: 'issue',
      op: 'put',
      entityId: id,
      version: 1,
      command: 'issues.create',
      actor: setting.admin.id,
      row: { id, title: 'The door sticks', buildingId: here.id },
    });
    expectNoGap(stream);
  });

  test('live/T1 a quiet stream still says that the database answers', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const stream = await setting.followed(viewer.cookie);
    const first = stream.frames[0];
    await expect.poll(() => stream.frames.length).toBeGreaterThan(1);
    expect(stream.frames[1]).toMatchObject({ id: first?.id, events: [] });
  });

  test('live/R4 a change is told only to those who may see it', async () => {
    const { here, there } = setting;
    const people = await Promise.all([
      setting.someone('viewer', [here]),
      setting.someone('manager', [there]),
      setting.someone('operative', [here]),
      setting.someone('viewer'),
    ]);
    const [hears, other, worker, outsider] = await Promise.all(
      people.map(({ cookie }) => setting.followed(cookie)),
    );
    const all = await setting.followed(setting.admin.cookie);
    const first = await setting.report(here);
    const second = await setting.report(there);
    await expect.poll(() => changesOf(all).map(({ entityId }) => entityId)).toEqual([first, second]);
    await expect.poll(() => changesOf(hears).map(({ entityId }) => entityId)).toEqual([first]);
    await expect.poll(() => changesOf(other).map(({ entityId }) => entityId)).toEqual([second]);
    expect([...changesOf(worker), ...changesOf(outsider)]).toEqual([]);
  });

  test('live/R4 the recorder of the check behind an issue hears that it changed, and not what it says', async () => {
    const { here } = setting;
    const [worker, other, manager] = await Promise.all([
      setting.someone('operative', [here]),
      setting.someone('operative', [here]),
      setting.someone('manager', [here]),
    ]);
    const line = { ...lineOf('fire_alarm_test', 'fail', uuidv7()), assetId: null };
    const now = setting.server.services.clock.now().toISOString();
    const managers = await setting.followed(manager.cookie);
    const { raised } = await worker.client.checks.record.mutate(
      visitOf('fire_alarm_test', { buildingId: here.id, now, entries: [line] }),
    );
    const issueId = raised[0]?.issueId ?? '';
    // The answer arrives before the event is sequenced, and a stream that started in between would receive it.
    await expect.poll(() => changesOf(managers).map(({ entity }) => entity)).toContain('checkVisit');
    const theirs = await setting.followed(worker.cookie);
    const others = await setting.followed(other.cookie);
    const comment = { ...operation(), id: uuidv7(), issueId, body: 'On its way' };
    await manager.client.issues.comment.mutate(comment);
    const status = { from: 'open', to: 'in_progress' } as const;
    await manager.client.issues.update.mutate({ ...operation(), id: issueId, changes: { status } });
    // A change to a field that they may not read is no event for them.
    const title = { from: await titleOf(manager, issueId), to: 'Bell' };
    await manager.client.issues.update.mutate({ ...operation(), id: issueId, changes: { title } });
    await worker.client.checks.record.mutate(
      visitOf('fire_alarm_test', {
        buildingId: here.id,
        now,
        entries: [{ ...lineOf('fire_alarm_test', 'pass', uuidv7()), assetId: null }],
      }),
    );
    await expect
      .poll(() => changesOf(theirs).map(({ entity, op }) => `${entity} ${op}`))
      .toEqual(['raisedIssue bulk', 'raisedIssue bulk', 'checkVisit put']);
    expect(JSON.stringify(changesOf(theirs))).not.toContain('On its way');
    await expect.poll(() => changesOf(others).map(({ entity }) => entity)).toEqual(['checkVisit']);
    const { data: mine } = await worker.client.checks.raisedByMine.query();
    expect(mine).toMatchObject([{ issueId, status: 'in_progress', lastReply: { body: 'On its way' } }]);
  });

  test('live/T3 a bulk change says how many are told of it, and nothing else does', async () => {
    const { here, there, admin } = setting;
    const people = await Promise.all([
      setting.someone('viewer', [here]),
      setting.someone('manager', [here, there]),
      setting.someone('viewer', [there]),
    ]);
    const cookies = [...people, ...people.slice(0, 1), admin].map(({ cookie }) => cookie);
    const [viewer, manager, other, again, all] = await Promise.all(
      cookies.map((cookie) => setting.followed(cookie)),
    );
    await tell(setting, ({ recordBulk }) => recordBulk({ entity: 'issue', buildingId: here.id }));
    for (const one of [viewer, manager, again, all]) {
      await expect.poll(() => crowds(one)).toEqual([4]);
    }
    await tell(setting, ({ recordBulkIn }) =>
      recordBulkIn({ entity: 'issue', buildingId: here.id }, [here.id, there.id]),
    );
    for (const one of [viewer, manager, again, all]) {
      await expect.poll(() => crowds(one)).toEqual([4, 5]);
    }
    await expect.poll(() => crowds(other)).toEqual([5]);
    await setting.report(there);
    await expect.poll(() => changesOf(other).at(-1)?.op).toBe('put');
    const told = other?.frames.filter(({ crowd }) => crowd !== undefined);
    expect(told?.map(({ events }) => events.map(({ op }) => op))).toEqual([['bulk']]);
  });

  test('live/T2 coming back with a position brings what was missed, once and in order', async () => {
    const { here } = setting;
    const viewer = await setting.someone('viewer', [here]);
    const before = await setting.followed(viewer.cookie);
    const position = before.position() ?? '';
    await setting.closeStreams();
    const missed = [await setting.report(here), await setting.report(here), await setting.report(here)];
    await setting.report(setting.there);
    const stream = await setting.followed(viewer.cookie, { lastEventId: position });
    const later = await setting.report(here);
    await expect.poll(() => changesOf(stream).map(({ entityId }) => entityId)).toEqual([...missed, later]);
    expect(stream.frames[0]?.prev).toBe(before.g());
    expectNoGap(stream);
  });

  test('live/R1 a server that starts on a long event log reads it in pages, and brings it to a client', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const position = (await setting.followed(viewer.cookie)).position() ?? '';
    await setting.closeStreams();
    await setting.pour(setting.here, 600);
    const second = await startTestServer(setting.database);
    try {
      expect(second.live.figures()).toMatchObject({ halted: 0, position: await setting.newest() });
      const stream = setting.follow(viewer.cookie, { lastEventId: position, server: second });
      await expect.poll(() => changesOf(stream).length).toBe(600);
      expectNoGap(stream);
    } finally {
      await setting.closeStreams();
      await second.stop();
    }
  });

  test('live/T2 a cut socket resumes by itself where it was', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const proxy = await startTcpProxy(() => Number(new URL(setting.server.url).port));
    const stream = await setting.followed(viewer.cookie, { via: `http://127.0.0.1:${proxy.port}` });
    await setting.report(setting.here);
    await expect.poll(() => changesOf(stream).length).toBe(1);
    proxy.cut();
    await expect.poll(() => stream.closes.length).toBe(1);
    await setting.report(setting.here);
    await expect.poll(() => changesOf(stream).length).toBe(2);
    expect(new Set(changesOf(stream).map(({ g }) => g)).size).toBe(2);
    expectNoGap(stream);
    await setting.closeStreams();
    await proxy.close();
  });
});

describe('access', () => {
  test('live/T4 losing a building stops its changes at once, and the client is told', async () => {
    const { here, there, admin } = setting;
    const viewer = await setting.someone('viewer', [here, there]);
    const stream = await setting.followed(viewer.cookie);
    await admin.client.users.revoke.mutate({ ...operation(), userId: viewer.id, buildingId: here.id });
    await expect.poll(() => stream.frames.some(({ access }) => access !== undefined)).toBe(true);
    expect(stream.frames.find(({ access }) => access)?.access).toMatchObject({
      version: 2,
      from: 1,
      lost: [here.id],
      gained: [],
      role: 'viewer',
    });
    await setting.report(here);
    const seen = await setting.report(there);
    await expect.poll(() => issuesOf(stream)).toEqual([seen]);
    expect(changesOf(stream)[0]).toMatchObject({ entity: 'person', entityId: viewer.id, version: 2 });
    expectNoGap(stream);
  });

  test('live/T4 gaining a building brings its changes from then on', async () => {
    const { here, there, admin } = setting;
    const viewer = await setting.someone('viewer', [there]);
    const stream = await setting.followed(viewer.cookie);
    await admin.client.users.grant.mutate({ ...operation(), userId: viewer.id, buildingId: here.id });
    await expect.poll(() => stream.frames.find(({ access }) => access)?.access?.gained).toEqual([here.id]);
    const seen = await setting.report(here);
    await expect.poll(() => issuesOf(stream)).toEqual([seen]);
  });

  test('live/T4 a new role brings its permissions, and changes what is heard', async () => {
    const { here, admin } = setting;
    const person = await setting.someone('viewer', [here]);
    const stream = await setting.followed(person.cookie);
    await admin.client.users.setRole.mutate({ ...operation(), userId: person.id, role: 'operative' });
    await expect.poll(() => stream.frames.find(({ access }) => access)?.access?.role).toBe('operative');
    expect(stream.frames.find(({ access }) => access)?.access?.permissions).not.toContain(
      'view_building_issues',
    );
    await setting.report(here);
    await admin.client.users.setRole.mutate({ ...operation(), userId: person.id, role: 'admin' });
    await expect.poll(() => stream.frames.at(-1)?.access?.gained).toBe('all');
    const seen = await setting.report(setting.there);
    await expect.poll(() => issuesOf(stream).length).toBe(1);
    expect(issuesOf(stream)).toEqual([seen]);
  });

  test('live/T2 what changed in the gap is told as the net change, and the replay is filtered by today', async () => {
    const { here, there, admin } = setting;
    const viewer = await setting.someone('viewer', [here]);
    const before = await setting.followed(viewer.cookie);
    await admin.client.users.grant.mutate({ ...operation(), userId: viewer.id, buildingId: there.id });
    await expect.poll(() => before.frames.at(-1)?.access?.version).toBe(2);
    const position = before.position() ?? '';
    await setting.closeStreams();

    await setting.report(here);
    await admin.client.users.revoke.mutate({ ...operation(), userId: viewer.id, buildingId: here.id });
    await admin.client.users.revoke.mutate({ ...operation(), userId: viewer.id, buildingId: there.id });
    await admin.client.users.grant.mutate({ ...operation(), userId: viewer.id, buildingId: there.id });
    const seen = await setting.report(there);

    const stream = await setting.followed(viewer.cookie, { lastEventId: position });
    await expect.poll(() => issuesOf(stream)).toEqual([seen]);
    expect(stream.frames.flatMap(({ access }) => access ?? [])).toMatchObject([
      { version: 5, from: 2, lost: [here.id], gained: [] },
    ]);
  });

  test('live/T2 a change of what was never recorded before is told as what it was', async () => {
    const { here, there, admin } = setting;
    const viewer = await setting.someone('viewer', [here, there]);
    const before = await setting.followed(viewer.cookie);
    const position = before.position() ?? '';
    await setting.closeStreams();
    await admin.client.users.revoke.mutate({ ...operation(), userId: viewer.id, buildingId: here.id });
    const stream = setting.follow(viewer.cookie, { lastEventId: position });
    await expect
      .poll(() => stream.frames.flatMap(({ access }) => access ?? []))
      .toMatchObject([{ version: 2, from: 1, lost: [here.id], gained: [] }]);
  });

  test('live/T2 where the event log does not say what was before, everything is lost and the current access is gained', async () => {
    const { here, there, admin, owner } = setting;
    const viewer = await setting.someone('viewer', [here, there]);
    const before = await setting.followed(viewer.cookie);
    const position = before.position() ?? '';
    await setting.closeStreams();
    await admin.client.users.revoke.mutate({ ...operation(), userId: viewer.id, buildingId: here.id });
    await expect.poll(() => accessEvents(viewer.id)).toHaveLength(1);
    const [event] = await accessEvents(viewer.id);
    await owner.sql`select erase_event_payload(${event?.g ?? 0}, ${admin.id})`;
    const stream = setting.follow(viewer.cookie, { lastEventId: position });
    await expect
      .poll(() => stream.frames.flatMap(({ access }) => access ?? []))
      .toMatchObject([{ lost: 'all', gained: [there.id] }]);
  });

  test('live/R3 a change of access that is not yet in the stream takes effect, and is told when its event comes', async () => {
    const { here, there, server } = setting;
    const viewer = await setting.someone('viewer', [here, there]);
    await setting.owner
      .sql`delete from user_location_access where user_id = ${viewer.id} and location_id = ${here.id}`;
    await setting.owner.db
      .update(profiles)
      .set({ version: sql`version + 1` })
      .where(eq(profiles.id, viewer.id));
    const stream = await setting.followed(viewer.cookie);
    await setting.report(here);
    const seen = await setting.report(there);
    await expect.poll(() => changesOf(stream).map(({ entityId }) => entityId)).toEqual([seen]);
    // A past grant that is read later must not widen the access again.
    await tell({ server }, ({ recordAccess }) =>
      recordAccess({
        people: { [viewer.id]: 1 },
        lost: [],
        gained: [here.id, there.id],
        lists: 'exact',
      }),
    );
    await setting.report(here);
    const last = await setting.report(there);
    await expect.poll(() => changesOf(stream).map(({ entityId }) => entityId)).toEqual([seen, last]);
  });
});

describe('the end of a session', () => {
  test('live/T6 signing out closes that session’s sockets with a reason and 4401, and no others', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const stream = await setting.followed(viewer.cookie);
    const other = await setting.followed(setting.admin.cookie);
    await viewer.client.session.signOut.mutate({});
    await expect.poll(() => stream.closes).toEqual([4401]);
    expect(stream.errors).toEqual([{ code: 'UNAUTHORIZED', app: 'unauthenticated' }]);
    expect(other.closes).toEqual([]);
  });

  test('live/T6 a disabled account is closed in the same step', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const stream = await setting.followed(viewer.cookie);
    await tell(setting, ({ recordAccess }) =>
      recordAccess({
        people: { [viewer.id]: 2 },
        lost: [],
        gained: [],
        lists: 'exact',
        disabled: true,
      }),
    );
    await expect.poll(() => stream.closes).toEqual([4401]);
    expect(stream.errors).toEqual([{ code: 'UNAUTHORIZED', app: 'unauthenticated' }]);
  });

  test('live/T6 all sessions of a person end, but not one that began since', async () => {
    const viewer = await setting.someone('viewer', [setting.here]);
    const stream = await setting.followed(viewer.cookie);
    const { services } = setting.server;
    const at = services.clock.now().toISOString();
    await services.sessions.endAllForUser(viewer.id);
    const since = await setting.followed(await signInAs(setting.server, { id: viewer.id, role: 'viewer' }));
    await tell(setting, ({ recordSessionsEnded }) => recordSessionsEnded(viewer.id, 'all'), at);
    await expect.poll(() => stream.closes).toEqual([4401]);
    await setting.report(setting.here);
    // The person's list of sessions has changed, and the issue was reported.
    await expect.poll(() => changesOf(since).map(({ entity }) => entity)).toEqual(['session', 'issue']);
    expect(since.closes).toEqual([]);
  });

  test('live/T6 without a session the socket opens, says why, and closes with 4401', async () => {
    for (const cookie of [undefined, 'sid=nonsense']) {
      const stream = setting.follow(cookie);
      await expect.poll(() => stream.closes).toEqual([4401]);
      expect(stream.opens).toBe(1);
      expect(stream.errors).toEqual([{ code: 'UNAUTHORIZED', app: 'unauthenticated' }]);
      expect(stream.frames).toEqual([]);
    }
  });
});
