import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TellPresenceInput } from '#shared/features/presence/presence.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Presence } from '#shared/live/live.ts';
import type { StreamClient } from '#tests/support/live/live-client.ts';
import {
  createLiveSetting,
  type LiveSetting,
  type SignedInPerson,
} from '#tests/support/live/live-setting.ts';
import { contextOf, storeFile } from '#tests/support/rows/documents.ts';
import { refusalOf } from '#tests/support/server/client.ts';
import { startTestServer } from '#tests/support/server/server.ts';

type At = NonNullable<TellPresenceInput['at']>;

let setting: LiveSetting;
/** Advances the server's monotonic clock, ms. */
let aheadMs = 0;
let documentId: string;

beforeAll(async () => {
  // With so long a silence, the listening connection is not replaced when a test moves the clock.
  const liveParts = { monotonicMs: () => performance.now() + aheadMs, silenceMs: 600_000 };
  setting = await createLiveSetting({ liveParts });
  const ctx = await contextOf(setting.server, setting.admin.cookie);
  documentId = (await storeFile(ctx, { buildingId: setting.here.id })).documentId;
});
afterEach(() => setting.closeStreams());
afterAll(() => setting.end());

/** A window of a person, which reports its place. */
function windowOf({ client }: Pick<SignedInPerson, 'client'>) {
  const window = uuidv7();
  let n = 0;
  return {
    window,
    tell(at: At | null) {
      n += 1;
      return client.presence.tell.mutate({ window, n, at });
    },
  };
}

/** All presence that a client has received, in order. */
const told = ({ frames }: StreamClient) => frames.flatMap(({ present }) => present?.people ?? []);
/** The presence of one person that a client has received. */
const of = (stream: StreamClient, { id }: Pick<SignedInPerson, 'id'>) =>
  told(stream).filter(({ person }) => person.id === id);
const last = (stream: StreamClient, who: Pick<SignedInPerson, 'id'>): Presence | undefined =>
  of(stream, who).at(-1);

describe('live/T8 who is where', () => {
  test('is told at once, through every process, only to those who may see the subject', async () => {
    const { here, there } = setting;
    const [manager, viewer, elsewhere, operative] = await Promise.all([
      setting.someone('manager', [here]),
      setting.someone('viewer', [here]),
      setting.someone('manager', [there]),
      setting.someone('operative', [here]),
    ]);
    const second = await startTestServer(setting.database);
    try {
      const [near, far, apart, tester] = await Promise.all([
        setting.followed(viewer.cookie),
        setting.followed(viewer.cookie, { server: second }),
        setting.followed(elsewhere.cookie),
        setting.followed(operative.cookie),
      ]);
      const id = await setting.report(here);
      const places: readonly At[] = [
        { kind: 'issue', id },
        { kind: 'issue', id, part: 'description' },
        { kind: 'document', id: documentId },
        { kind: 'check', id: here.id, part: 'fire_alarm_test' },
      ];
      const { tell } = windowOf(manager);
      for (const at of places) {
        await tell(at);
        const expected = { part: null, ...at, person: { id: manager.id }, here: true };
        for (const stream of [near, far])
          await expect.poll(() => last(stream, manager)).toMatchObject(expected);
      }
      await tell(null);
      for (const stream of [near, far])
        await expect.poll(() => last(stream, manager)).toMatchObject({ kind: 'check', here: false });
      // An operative sees the checks and documents of the building, and no issues.
      await expect.poll(() => last(tester, manager)).toMatchObject({ kind: 'check', here: false });
      expect(told(tester).filter(({ kind }) => kind === 'issue')).toEqual([]);
      // A later event has reached the people without access to the building, so presence would have arrived before it.
      await setting.report(there, 'A later one');
      await expect.poll(() => apart.events.length).toBeGreaterThan(0);
      expect(apart.frames.filter(({ present }) => present)).toEqual([]);
      // Presence does not change the position, and is not in the event log.
      for (const { frames } of [near, far])
        for (const { present, events, prev, id: at } of frames)
          if (present !== undefined)
            expect([events, `${at.split('.')[0]}.${prev}`]).toEqual([[], at.replace(/\.[0-9a-f]{8}$/, '')]);
      await setting.newest();
      const [kept] = await setting.owner
        .sql`select count(*)::int n from events where command like 'presence%'`;
      expect(kept?.['n']).toBe(0);
    } finally {
      await setting.closeStreams();
      await second.stop();
    }
  });

  test('is refused for what a person may not see or do, as for what does not exist', async () => {
    const { here, there } = setting;
    const elsewhere = await setting.someone('manager', [there]);
    const operative = await setting.someone('operative', [here]);
    const viewer = await setting.someone('viewer', [here]);
    const watcher = await setting.followed((await setting.someone('manager', [here])).cookie);
    const id = await setting.report(here);
    const refused: readonly [SignedInPerson, At][] = [
      [elsewhere, { kind: 'issue', id }],
      [elsewhere, { kind: 'issue', id: uuidv7() }],
      [elsewhere, { kind: 'check', id: here.id }],
      [elsewhere, { kind: 'document', id: documentId }],
      [operative, { kind: 'issue', id }],
      // A viewer sees the log, but may not record checks.
      [viewer, { kind: 'check', id: here.id }],
      [viewer, { kind: 'document', id: here.id }],
    ];
    for (const [person, at] of refused)
      expect(await refusalOf(windowOf(person).tell(at))).toEqual({ code: 'not_found' });
    // A window cannot report the text of a field, only the names in the list.
    const free = { kind: 'issue', id, part: 'A tap drips in room 12' };
    // The cast: the input is invalid on purpose.
    expect((await refusalOf(windowOf(viewer).tell(free as At))).code).toBe('invalid');
    const { tell } = windowOf(viewer);
    await tell({ kind: 'issue', id });
    await expect.poll(() => last(watcher, viewer)).toMatchObject({ here: true });
    expect(told(watcher).map(({ person }) => person.id)).toEqual([viewer.id]);
  });

  test('is told to a newcomer at once; who loses a building hears no more of it', async () => {
    const { here, there } = setting;
    const [manager, viewer] = await Promise.all([
      setting.someone('manager', [here, there]),
      setting.someone('viewer', [here, there]),
    ]);
    const [issueHere, issueThere] = [await setting.report(here), await setting.report(there)];
    const [mine, other] = [windowOf(manager), windowOf(manager)];
    await mine.tell({ kind: 'issue', id: issueHere, part: 'title' });
    await other.tell({ kind: 'issue', id: issueThere });
    const early = await setting.followed(manager.cookie);
    await expect.poll(() => of(early, manager).length).toBe(2);
    const stream = await setting.followed(viewer.cookie);
    const ids = (present: readonly Presence[]) => present.map(({ id }) => id).sort();
    await expect.poll(() => ids(of(stream, manager))).toEqual([issueHere, issueThere].sort());
    expect(stream.frames.find(({ present }) => present)?.present?.all).toBe(true);

    const taken = { operationId: uuidv7(), userId: viewer.id, buildingId: here.id };
    await setting.admin.client.users.revoke.mutate(taken);
    await expect.poll(() => stream.frames.filter(({ present }) => present?.all).length).toBe(2);
    const now = stream.frames.findLast(({ present }) => present?.all)?.present;
    expect(ids(now?.people ?? [])).toEqual([issueThere]);
    const before = told(stream).length;
    await mine.tell({ kind: 'issue', id: issueHere, part: 'description' });
    await other.tell({ kind: 'issue', id: issueThere, part: 'description' });
    await expect.poll(() => told(stream).length).toBeGreaterThan(before);
    expect(
      told(stream)
        .slice(before)
        .map(({ id }) => id),
    ).toEqual([issueThere]);
    await Promise.all([mine.tell(null), other.tell(null)]);
  });
});

describe('live/T8 a window has gone', () => {
  test('when its socket closes or its session ends, for every process at once', async () => {
    const { here } = setting;
    const [manager, viewer] = await Promise.all([
      setting.someone('manager', [here]),
      setting.someone('viewer', [here]),
    ]);
    const id = await setting.report(here);
    const second = await startTestServer(setting.database);
    try {
      const watchers = await Promise.all([
        setting.followed(viewer.cookie),
        setting.followed(viewer.cookie, { server: second }),
      ]);
      const open = async () => {
        const { window, tell } = windowOf(manager);
        const stream = await setting.followed(manager.cookie, { window });
        await tell({ kind: 'issue', id });
        for (const one of watchers) await expect.poll(() => last(one, manager)).toMatchObject({ here: true });
        return { stream, tell };
      };
      const gone = async () => {
        for (const one of watchers)
          await expect.poll(() => last(one, manager)).toMatchObject({ id, here: false });
      };
      const first = await open();
      await first.stream.close();
      await gone();
      // Another window keeps the person present.
      const [, closing] = [await open(), await open()];
      await closing.stream.close();
      await closing.tell({ kind: 'issue', id, part: 'title' });
      for (const one of watchers)
        await expect.poll(() => last(one, manager)).toMatchObject({ here: true, part: 'title' });
      await closing.tell(null);
      for (const one of watchers)
        await expect.poll(() => last(one, manager)).toMatchObject({ here: true, part: null });
      await manager.client.session.signOut.mutate({});
      await gone();
    } finally {
      await setting.closeStreams();
      await second.stop();
    }
  });

  test('when its person loses the building, for every process at once', async () => {
    const { here, there } = setting;
    const manager = await setting.someone('manager', [here, there]);
    const viewer = await setting.someone('viewer', [here]);
    const second = await startTestServer(setting.database);
    try {
      const near = await setting.followed(viewer.cookie);
      const far = await setting.followed(viewer.cookie, { server: second });
      const { tell } = windowOf(manager);
      await tell({ kind: 'issue', id: await setting.report(here) });
      for (const stream of [near, far])
        await expect.poll(() => last(stream, manager)).toMatchObject({ here: true });
      // This happens sooner than the end of a silent window.
      await setting.admin.client.users.revoke.mutate({
        operationId: uuidv7(),
        userId: manager.id,
        buildingId: here.id,
      });
      for (const stream of [near, far])
        await expect.poll(() => last(stream, manager)).toMatchObject({ here: false });
    } finally {
      await setting.closeStreams();
      await second.stop();
    }
  });

  test('not when the server closes its socket, because it comes back', async () => {
    const { here } = setting;
    const [manager, viewer] = await Promise.all([
      setting.someone('manager', [here]),
      setting.someone('viewer', [here]),
    ]);
    const id = await setting.report(here);
    const watcher = await setting.followed(viewer.cookie);
    const second = await startTestServer(setting.database);
    const { window, tell } = windowOf(manager);
    const stream = await setting.followed(manager.cookie, { window, server: second });
    await tell({ kind: 'issue', id });
    await expect.poll(() => last(watcher, manager)).toMatchObject({ here: true });
    await second.stop();
    await expect.poll(() => stream.closes).toContain(1012);
    // A later report has arrived, so the earlier one would have arrived, too.
    await windowOf(viewer).tell({ kind: 'issue', id });
    await expect.poll(() => last(watcher, viewer)).toMatchObject({ here: true });
    expect(of(watcher, manager).map(({ here }) => here)).toEqual([true]);
    await tell(null);
  });

  test('after 45 s of silence, as after a power cut', async () => {
    const { here } = setting;
    const [silent, manager, viewer] = await Promise.all([
      setting.someone('manager', [here]),
      setting.someone('manager', [here]),
      setting.someone('viewer', [here]),
    ]);
    const id = await setting.report(here);
    const watcher = await setting.followed(viewer.cookie);
    await windowOf(silent).tell({ kind: 'issue', id });
    const repeats = windowOf(manager);
    await repeats.tell({ kind: 'issue', id });
    await expect.poll(() => of(watcher, manager).length).toBe(1);
    aheadMs += 40_000;
    await repeats.tell({ kind: 'issue', id });
    aheadMs += 6_000;
    await expect.poll(() => last(watcher, silent)).toMatchObject({ here: false });
    // Reporting the same place again is no change.
    expect(of(watcher, manager).map(({ here }) => here)).toEqual([true]);
    await repeats.tell(null);
  });
});

describe('live/T8 one person cannot', () => {
  test('be in more than ten windows, and others know where they are in the end, however fast they move', async () => {
    const { here } = setting;
    const [attacker, viewer] = await Promise.all([
      setting.someone('manager', [here]),
      setting.someone('viewer', [here]),
    ]);
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) ids.push(await setting.report(here));
    const watcher = await setting.followed(viewer.cookie);
    const windows = ids.map((id) => ({ id, ...windowOf(attacker) }));
    for (const { id, tell } of windows) await tell({ kind: 'issue', id });
    const present = () => {
      const map = new Map(of(watcher, attacker).map((one) => [one.id, one.here]));
      return ids.filter((id) => map.get(id) === true);
    };
    await expect.poll(present).toEqual(ids.slice(2));

    const parts = ['title', 'description'] as const;
    await Promise.all(
      windows.slice(2).map(async ({ id, tell }) => {
        for (let n = 0; n < 20; n += 1) await tell({ kind: 'issue', id, part: parts[n % 2] });
        await tell(null);
      }),
    );
    await expect.poll(present).toEqual([]);
  });

  test('move a window back by a call that comes late, or move the window of another', async () => {
    const { here } = setting;
    const [manager, other, viewer] = await Promise.all([
      setting.someone('manager', [here]),
      setting.someone('manager', [here]),
      setting.someone('viewer', [here]),
    ]);
    const id = await setting.report(here);
    const watcher = await setting.followed(viewer.cookie);
    const window = uuidv7();
    const at = { kind: 'issue', id } as const;
    await manager.client.presence.tell.mutate({ window, n: 7, at });
    await manager.client.presence.tell.mutate({ window, n: 8, at: null });
    await manager.client.presence.tell.mutate({ window, n: 6, at: { ...at, part: 'title' } });
    await other.client.presence.tell.mutate({ window, n: 1, at });
    await other.client.presence.tell.mutate({ window, n: 1_000, at: { ...at, part: 'status' } });
    await expect.poll(() => last(watcher, other)?.part).toBe('status');
    expect(of(watcher, manager).at(-1)?.here ?? false).toBe(false);
    expect(of(watcher, manager).map(({ part }) => part)).not.toContain('title');
  });
});
