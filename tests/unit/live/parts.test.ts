import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AccessDelta,
  type AccessEvent,
  type AccessRecord,
  toAccessRecord,
  type WholeAccess,
} from '#server/live/access/access-events.ts';
import { accessBefore } from '#server/live/access/access-history.ts';
import { computeAccessDelta, createAccessMap } from '#server/live/access/access-map.ts';
import { BuildingSet } from '#server/live/access/building-set.ts';
import { createClassIndex, sees } from '#server/live/classes.ts';
import { type EventRow, type StreamEvent, toStreamEvent } from '#server/live/events.ts';
import { createRing } from '#server/live/ring.ts';
import { createSemaphore, SemaphoreFullError } from '#server/live/semaphore.ts';
import { PERMISSION_NAMES, permissionsOf, ROLES } from '#shared/permissions.ts';

function event(g: number, more: Partial<StreamEvent> = {}): StreamEvent {
  return {
    g,
    digest: '00000000',
    permission: null,
    buildings: null,
    persons: [],
    text: 'x',
    bytes: 1,
    ...more,
  };
}
function whole(version: number, more: Partial<WholeAccess> = {}): WholeAccess {
  return { userId: 'u', role: 'viewer', buildings: ['a'], version, disabled: false, ...more };
}
function access(version: number, more: Partial<WholeAccess> = {}): AccessRecord {
  return toAccessRecord(whole(version, more));
}
function delta(version: number, more: Partial<AccessDelta> = {}): AccessEvent {
  return { delta: { people: { u: version }, lost: [], gained: [], lists: 'exact', ...more } };
}
const idsOf = (buildings: AccessRecord['buildings'] | undefined) =>
  buildings instanceof BuildingSet ? buildings.ids().sort() : buildings;

describe('the ring', () => {
  test('live/R1 gives what comes after a position, or says that it no longer reaches back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 }),
        fc.integer({ min: 0, max: 200 }),
        (capacity, batches, first) => {
          const ring = createRing({ capacity });
          let last = first;
          for (const count of batches) {
            ring.push(Array.from({ length: count }, (_, n) => event(last + n + 1)));
            last += count;
          }
          const held = Math.min(capacity, last - first);
          expect(ring.size()).toBe(held);
          for (let g = first; g <= last; g += 1) {
            const after = ring.after(g)?.map((one) => one.g);
            const expected = Array.from({ length: last - g }, (_, n) => g + n + 1);
            if (held > 0 && g >= last - held) expect(after).toEqual(expected);
            else expect(after).toBeUndefined();
          }
        },
      ),
    );
  });

  test('live/R1 is bounded in bytes too, of texts and of lists', () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => `018f0000-0000-7000-8000-${n}`);
    const text = 'x'.repeat(64_000);
    const long: Partial<StreamEvent>[] = [
      { text, bytes: text.length },
      { buildings: ids },
      { persons: ids },
      { text: '測'.repeat(32_000), bytes: 96_000 },
    ];
    for (const more of long) {
      const ring = createRing({ capacity: 100, maxBytes: 650_000 });
      ring.push(Array.from({ length: 20 }, (_, n) => event(n + 1, more)));
      expect(ring.size()).toBe(10);
      expect(ring.after(10)).toHaveLength(10);
      expect(ring.after(9)).toBeUndefined();
    }
  });

  test('live/R1 lets go of what it drops, and of all but the place of control events', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const ring = createRing({ capacity: 100, maxBytes: 5_000 });
    const push = (g: number) => {
      const buildings = [`building ${g}`];
      const control = { kind: 'access', people: buildings, accessEvent: undefined } as const;
      // Ten events that fill the ring and are dropped, then ten changes of access.
      ring.push([event(g, g <= 10 ? { buildings, bytes: 4_000, text: 'x'.repeat(4_000) } : { control })]);
      return new WeakRef(buildings);
    };
    const held = Array.from({ length: 20 }, (_, n) => push(n + 1));
    // The target of a new weak reference is kept until the end of the current turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(held.flatMap((ref, at) => (ref.deref() === undefined ? [] : [at + 1]))).toEqual([]);
    expect(ring.after(10)?.map(({ g, control }) => [g, control?.kind])).toEqual(
      Array.from({ length: 10 }, (_, n) => [n + 11, 'other']),
    );
  });
});

describe('classes', () => {
  const buildings = ['a', 'b', 'c', 'd'];
  const someAccess = fc.record({
    role: fc.constantFrom(...ROLES, null),
    buildings: fc.oneof(fc.constant('all' as const), fc.uniqueArray(fc.constantFrom(...buildings))),
  });
  const someEvent = fc.record({
    permission: fc.constantFrom(...PERMISSION_NAMES, null),
    buildings: fc.option(fc.uniqueArray(fc.constantFrom(...buildings)), { nil: null }),
  });

  test('live/R4 the index finds exactly the members that a search through all clients would find', () => {
    fc.assert(
      fc.property(
        fc.array(someAccess, { maxLength: 12 }),
        fc.array(someEvent),
        fc.nat(),
        (people, events, leaver) => {
          const index = createClassIndex<number>();
          const joined = people.map((one, member) => index.join(member, access(1, one), 0, 0));
          const gone = people.length === 0 ? -1 : leaver % people.length;
          const left = joined[gone];
          if (left !== undefined) index.leave(gone, left);
          for (const one of events) {
            const found = index.seeing(event(1, one)).flatMap(({ members }) => [...members]);
            const expected = people.flatMap((person, member) => {
              const permissions = new Set(permissionsOf(person.role ?? undefined));
              const places = person.buildings === 'all' ? ('all' as const) : BuildingSet.of(person.buildings);
              return member !== gone && sees({ permissions, buildings: places }, one) ? [member] : [];
            });
            expect(found.sort()).toEqual(expected.sort());
          }
        },
      ),
    );
  });

  test('live/R4 equal access is one class, and an empty class is forgotten', () => {
    const index = createClassIndex<number>();
    const one = index.join(1, access(1, { buildings: ['a', 'b'] }), 5, 0);
    expect(index.join(2, access(9, { buildings: ['b', 'a'], userId: 'v' }), 7, 0)).toBe(one);
    index.join(3, access(1, { buildings: ['a'] }), 7, 0);
    expect(index.size()).toBe(2);
    index.leave(1, one);
    index.leave(2, one);
    expect(index.size()).toBe(1);
    expect(index.seeing(event(1, { permission: 'view_dashboard', buildings: ['b'] }))).toEqual([]);
  });
});

describe('classes of displays', () => {
  test('live/D1 are apart from those of people and of other views', () => {
    const index = createClassIndex<number>();
    const buildings = ['a'];
    const manager = index.join(1, access(1, { role: 'manager', buildings }), 0, 0);
    const shown = index.join(2, access(1, { role: null, view: 'manager', buildings }), 0, 0);
    const inPublic = index.join(3, access(1, { role: null, view: 'public', buildings }), 0, 0);
    const nobody = index.join(4, access(1, { role: null, buildings }), 0, 0);
    expect(new Set([manager, shown, inPublic, nobody]).size).toBe(4);
    expect([manager, shown, inPublic, nobody].map(({ view }) => view)).toEqual([
      undefined,
      'manager',
      'public',
      undefined,
    ]);
    const found = (permission: (typeof PERMISSION_NAMES)[number]) =>
      index.seeing(event(1, { permission, buildings })).flatMap(({ members }) => [...members]);
    expect(found('view_dashboard').sort()).toEqual([1, 2, 3]);
    expect(found('view_assets')).toEqual([1]);
    index.leave(2, shown);
    expect(found('view_dashboard').sort()).toEqual([1, 3]);
  });

  test('live/D3 a change of a display is never worked out from lists', () => {
    const display = access(1, { role: null, view: 'public', buildings: ['a'] });
    expect(idsOf(display.buildings)).toEqual(['a']);
    const map = createAccessMap();
    map.retain('u');
    map.confirm('u', whole(1, { role: null, view: 'public', buildings: ['a'] }), 1);
    expect(map.apply('u', delta(2, { gained: ['b'] }), 2)).toBe('unknown');
    expect(map.confirmedAt('u')).toBeUndefined();
  });
});

describe('a set of buildings', () => {
  const some = fc.uniqueArray(fc.constantFrom(...Array.from({ length: 80 }, (_, n) => `house ${n}`)));
  const sorted = (ids: Iterable<string>) => [...ids].sort();

  test('live/R4 is what a set of ids would be, and equal sets are one', () => {
    fc.assert(
      fc.property(some, some, (left, right) => {
        const one = BuildingSet.of(left);
        const has = (ids: string[]) => (id: string) => ids.includes(id);
        expect(sorted(one.ids())).toEqual(sorted(left));
        expect(right.filter((id) => one.has(id))).toEqual(right.filter(has(left)));
        expect(sorted(one.plus(right).ids())).toEqual(sorted(new Set([...left, ...right])));
        expect(sorted(one.minus(right).ids())).toEqual(sorted(left.filter((id) => !has(right)(id))));
        expect(sorted(one.beyond(BuildingSet.of(right)))).toEqual(sorted(one.minus(right).ids()));
        expect(one.plus(right).minus(right)).toBe(BuildingSet.of(left.filter((id) => !has(right)(id))));
        expect(BuildingSet.of([...left].reverse())).toBe(one);
      }),
    );
  });
});

describe('the access map', () => {
  test('live/R3 takes only higher versions, so the past never widens what is narrower now', () => {
    const map = createAccessMap();
    expect(map.apply('u', { whole: whole(3) }, 1)).toBe('known'); // no connection yet
    map.retain('u');
    expect(map.confirm('u', whole(3, { buildings: [] }), 100)).toBe(true);
    expect(map.apply('u', { whole: whole(2, { buildings: ['a', 'b'] }) }, 101)).toBe('known');
    expect(map.apply('u', delta(3, { gained: ['a', 'b'] }), 101)).toBe('known');
    expect(map.confirm('u', whole(3, { buildings: ['a', 'b'] }), 90)).toBe(false);
    expect(idsOf(map.get('u')?.buildings)).toEqual([]);
    expect(map.apply('u', { whole: whole(4) }, 102)).toBe('taken');
    expect(map.confirmedAt('u')).toBe(100);
    map.forget(103);
    expect(map.apply('u', { whole: whole(1) }, 104)).toBe('taken');
    map.release('u');
    expect(map.get('u')).toBeUndefined();
  });

  test('live/R3 a change counts on top of the version before it, and else the database is asked', () => {
    const map = createAccessMap();
    map.retain('u');
    map.confirm('u', whole(3), 100);
    expect(map.apply('u', delta(4, { gained: ['b', 'c'], lost: ['a'] }), 101)).toBe('taken');
    expect(map.get('u')).toMatchObject({ version: 4, role: 'viewer' });
    expect(idsOf(map.get('u')?.buildings)).toEqual(['b', 'c']);
    expect(map.confirmedAt('u')).toBe(100);
    // Version 5 is missing.
    expect(map.apply('u', delta(6, { gained: ['d'] }), 110)).toBe('unknown');
    expect(map.confirmedAt('u')).toBeUndefined();
    // An answer to an earlier read of the database does not count …
    expect(map.confirm('u', whole(5), 109)).toBe(true);
    expect(map.confirmVersion('u', 5, 109)).toBe(true);
    expect(map.confirmedAt('u')).toBeUndefined();
    // … and an answer to a later read does.
    expect(map.confirm('u', whole(6, { buildings: ['z'] }), 111)).toBe(true);
    expect(map.confirmedAt('u')).toBe(111);
    expect(idsOf(map.get('u')?.buildings)).toEqual(['z']);
    expect(map.confirmVersion('u', 7, 112)).toBe(false);
  });

  test('live/R3 a change that tells too little asks the database', () => {
    for (const [news, role] of [
      [undefined, 'viewer'],
      [delta(2, { lists: 'left_out' }), 'viewer'],
      [delta(2, { role: ['admin', 'viewer'] }), 'admin'],
      [delta(2, { role: [null, 'viewer'] }), null],
      [{ whole: whole(2, { userId: 'other' }) }, 'viewer'],
    ] as const) {
      const map = createAccessMap();
      map.retain('u');
      expect(map.apply('u', delta(1), 0)).toBe('unknown'); // not read yet
      map.confirm('u', whole(1, { role, buildings: role === 'admin' ? 'all' : [] }), 1);
      expect(map.apply('u', news, 2)).toBe('unknown');
    }
  });

  test('live/R3 a role that sees everything or nothing needs no list', () => {
    const map = createAccessMap();
    map.retain('u');
    map.confirm('u', whole(1), 1);
    expect(map.apply('u', delta(2, { role: ['viewer', 'admin'] }), 2)).toBe('taken');
    expect(map.get('u')).toMatchObject({ role: 'admin', buildings: 'all' });
    expect(map.apply('u', delta(3, { lost: ['a'] }), 2)).toBe('taken');
    expect(map.get('u')).toMatchObject({ version: 3, buildings: 'all' });
    expect(map.apply('u', delta(4, { role: ['admin', null], disabled: true }), 2)).toBe('taken');
    expect(map.get('u')).toMatchObject({ role: null, disabled: true });
    expect(idsOf(map.get('u')?.buildings)).toEqual([]);
  });

  test('live/R3 a person whom the database does not know is disabled', () => {
    const map = createAccessMap();
    map.retain('u');
    map.confirm('u', undefined, 1);
    expect(map.get('u')).toMatchObject({ disabled: true, role: null });
    expect(idsOf(map.get('u')?.buildings)).toEqual([]);
  });

  test('live/T4 the net change is what is lost and what is gained', () => {
    expect(
      computeAccessDelta(access(1, { buildings: ['a', 'b'] }), access(2, { buildings: ['b', 'c'] })),
    ).toMatchObject({
      version: 2,
      lost: ['a'],
      gained: ['c'],
    });
    const admin = access(2, { role: 'admin', buildings: 'all' });
    expect(computeAccessDelta(access(1), admin)).toMatchObject({ lost: [], gained: 'all', buildings: 'all' });
    expect(computeAccessDelta(admin, access(3))).toMatchObject({ lost: 'all', gained: [], buildings: ['a'] });
    expect(computeAccessDelta(undefined, access(3))).toMatchObject({
      lost: 'all',
      gained: ['a'],
      buildings: ['a'],
    });
    expect(computeAccessDelta(access(1), access(2)).buildings).toBeUndefined();
  });
});

describe('what a client knows of its access', () => {
  const at = (g: number, news: AccessEvent | undefined): StreamEvent =>
    event(g, { control: { kind: 'access', people: ['u'], accessEvent: news } });
  const history = (...since: (AccessEvent | undefined)[]) => ({
    since: since.map((news, n) => at(90 - n, news)),
    before: undefined,
  });

  test('live/T2 is what today would be without the changes since, whatever they were', () => {
    const house = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.record({ give: fc.uniqueArray(house), take: fc.uniqueArray(house) });
    fc.assert(
      fc.property(fc.uniqueArray(house), fc.array(step), (first, steps) => {
        let now = new Set(first);
        let version = 1;
        const since: AccessEvent[] = [];
        for (const { give, take } of steps) {
          const next = new Set([...[...now].filter((id) => !take.includes(id)), ...give]);
          version += 1;
          const lost = [...now].filter((id) => !next.has(id));
          since.unshift(delta(version, { lost, gained: [...next].filter((id) => !now.has(id)) }));
          now = next;
        }
        const before = accessBefore(access(version, { buildings: [...now] }), history(...since));
        expect(idsOf(before?.buildings)).toEqual([...first].sort());
        expect(before?.version).toBe(1);
      }),
    );
  });

  test('live/T2 is not known where a change is missing, was erased, or did not say all', () => {
    const today = access(3, { buildings: ['a', 'b'] });
    const gained = delta(3, { gained: ['b'] });
    expect(accessBefore(today, history(gained, undefined))).toBeUndefined();
    expect(accessBefore(today, history(delta(2, { gained: ['b'] })))).toBeUndefined();
    expect(accessBefore(today, history(gained, delta(2, { lists: 'left_out' })))).toBeUndefined();
    expect(accessBefore(today, history(delta(3, { lost: ['z'], lists: 'wider' })))).toBeUndefined();
    expect(accessBefore(today, history(delta(3, { role: ['viewer', 'operative'] })))?.version).toBe(2);
    // A change committed after today's access was read is reported by its own event.
    const later = accessBefore(today, history(delta(4, { lost: ['b'] }), gained));
    expect(idsOf(later?.buildings)).toEqual(['a']);
    expect(accessBefore(today, history())).toEqual(today);
  });

  test('live/T2 goes back over roles: an administrator saw everything, and has lost nothing', () => {
    const viewer = access(2, { buildings: ['a'] });
    const stepDown = delta(2, { role: ['admin', 'viewer'] });
    expect(accessBefore(viewer, history(stepDown))?.buildings).toBe('all');
    const admin = access(3, { role: 'admin', buildings: 'all' });
    const stepUp = delta(3, { role: ['viewer', 'admin'] });
    const change = (before: AccessRecord | undefined) => computeAccessDelta(before, admin);
    expect(change(accessBefore(admin, history(stepUp)))).toMatchObject({ lost: [], gained: 'all' });
    expect(accessBefore(access(4), history(delta(4, { role: ['admin', 'viewer'] }), stepUp))?.buildings).toBe(
      undefined,
    );
  });

  test('live/T2 is told by events from before they carried changes', () => {
    const today = access(3, { buildings: ['a', 'b'] });
    const before = at(5, { whole: whole(2, { buildings: ['a', 'z'] }) });
    const since = [at(90, { whole: whole(3, { buildings: ['a', 'b'] }) })];
    expect(idsOf(accessBefore(today, { since, before })?.buildings)).toEqual(['a', 'z']);
    expect(accessBefore(today, { since, before: undefined })).toBeUndefined();
    expect(accessBefore(access(4), { since: [at(91, delta(4)), ...since], before })?.version).toBe(2);
  });
});

describe('an event', () => {
  const row: EventRow = {
    g: '7',
    digest: '0a1b2c3d',
    outbox_id: '9007199254740993',
    tx: '1',
    at: '2026-01-01T00:00:00.000Z',
    actor: null,
    command: 'a.b',
    entity: 'client',
    entity_id: 'e',
    op: 'put',
    version: 2,
    operation_id: null,
    permission: null,
    buildings: null,
    persons: [],
    body: '{"row":{"id":"e"},"changes":null}',
  };
  const envelope = {
    g: 7,
    outboxId: '9007199254740993',
    tx: 1,
    at: row.at,
    actor: null,
    command: 'a.b',
    entity: 'client',
    entityId: 'e',
    op: 'put',
    version: 2,
    operationId: null,
  };

  test('live/S3 travels as its envelope around its stored text', () => {
    expect(JSON.parse(toStreamEvent(row).text)).toEqual({ ...envelope, row: { id: 'e' }, changes: null });
    expect(JSON.parse(toStreamEvent({ ...row, op: 'bulk', body: '{}' }).text)).toEqual({
      ...envelope,
      op: 'bulk',
    });
    expect(JSON.parse(toStreamEvent({ ...row, body: null }).text)).toEqual({ ...envelope, erased: true });
  });

  test('live/S3 about people is for the server, and what cannot be read is taken the safe way', () => {
    const access = { ...row, op: 'access', persons: ['u'] };
    const known = whole(2, { buildings: [] });
    expect(toStreamEvent({ ...access, body: JSON.stringify({ access: known }) })).toMatchObject({
      text: '',
      control: { kind: 'access', people: ['u'], accessEvent: { whole: known } },
    });
    const change = delta(2, { lost: ['a'] });
    expect(toStreamEvent({ ...access, body: JSON.stringify(change) }).control).toMatchObject({
      accessEvent: change,
    });
    for (const body of [null, '{"access":{}}']) {
      expect(toStreamEvent({ ...access, body }).control).toMatchObject({
        people: ['u'],
        accessEvent: undefined,
      });
    }
    expect(toStreamEvent({ ...row, op: 'sessions_ended', body: null }).control).toMatchObject({
      sessions: 'all',
    });
    expect(toStreamEvent({ ...row, op: 'erase' }).control).toEqual({ kind: 'other' });
  });
});

describe('the semaphore', () => {
  test('live/T6 lets in one piece of work an owner, and others of the line past it, in their order', async () => {
    const semaphore = createSemaphore({ permits: 2, maxWaiting: 10, maxWaitMs: 60_000 });
    const begun: string[] = [];
    const end = new Map<string, () => void>();
    const work = (name: string) =>
      semaphore.run(() => {
        begun.push(name);
        return new Promise<void>((resolve) => end.set(name, resolve));
      }, name[0]);
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(work);
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    await settle();
    expect(begun).toEqual(['a1', 'b1']);
    end.get('b1')?.();
    await settle();
    // The owner of `b2` has no other work running, so `b2` does not wait for the two before it.
    expect(begun).toEqual(['a1', 'b1', 'b2']);
    end.get('a1')?.();
    await settle();
    expect(begun).toEqual(['a1', 'b1', 'b2', 'a2']);
    end.get('a2')?.();
    end.get('b2')?.();
    await settle();
    expect(begun).toEqual(['a1', 'b1', 'b2', 'a2', 'a3', 'c1']);
    end.get('a3')?.();
    end.get('c1')?.();
    await Promise.all(all);
    expect(semaphore.waiting()).toBe(0);
  });

  test('live/T6 lets so many in at once, the others in their order, and refuses an endless line', async () => {
    const semaphore = createSemaphore({ permits: 2, maxWaiting: 3, maxWaitMs: 60_000 });
    const order: number[] = [];
    const releases: (() => void)[] = [];
    const work = (n: number) => () => {
      order.push(n);
      return new Promise<void>((resolve) => releases.push(resolve));
    };
    const all = [1, 2, 3, 4, 5].map((n) => semaphore.run(work(n)));
    await expect(semaphore.run(work(6))).rejects.toThrow(SemaphoreFullError);
    await expect.poll(() => order).toEqual([1, 2]);
    for (const expected of [
      [1, 2, 3],
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
    ]) {
      releases.shift()?.();
      await expect.poll(() => order).toEqual(expected);
    }
    for (const release of releases) release();
    await Promise.all(all);
  });

  test('live/T6 no waiting is for ever, and a failure gives the permit back', async () => {
    const semaphore = createSemaphore({ permits: 1, maxWaiting: 3, maxWaitMs: 20 });
    let release = () => {};
    const first = semaphore.run(() => new Promise<void>((resolve) => (release = resolve)));
    await expect(semaphore.run(async () => 'late')).rejects.toThrow(SemaphoreFullError);
    release();
    await first;
    await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await semaphore.run(async () => 'in')).toBe('in');
  });
});
