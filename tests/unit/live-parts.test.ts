import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accessChange, createAccessMap } from '#server/live/access-map.ts';
import { createClassIndex, sees } from '#server/live/classes.ts';
import type { AccessRecord } from '#server/live/control.ts';
import { type EventRow, type StreamEvent, toStreamEvent } from '#server/live/events.ts';
import { createGate, GateClosedError } from '#server/live/gate.ts';
import { createRing } from '#server/live/ring.ts';
import { PERMISSION_NAMES, permissionsOf, ROLES } from '#shared/permissions.ts';

function event(g: number, more: Partial<StreamEvent> = {}): StreamEvent {
  return { g, permission: null, buildings: null, persons: [], text: 'x', bytes: 1, ...more };
}
function access(version: number, more: Partial<AccessRecord> = {}): AccessRecord {
  return { userId: 'u', role: 'viewer', buildings: ['a'], version, disabled: false, ...more };
}

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

  test('live/R1 is bounded in bytes too', () => {
    const ring = createRing({ capacity: 100, maxBytes: 50 });
    ring.push(Array.from({ length: 20 }, (_, n) => event(n + 1, { bytes: 10 })));
    expect(ring.after(15)).toHaveLength(5);
    expect(ring.after(14)).toBeUndefined();
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

  test('live/R4 the index finds exactly the members that a look at everybody would find', () => {
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
              const places = person.buildings === 'all' ? ('all' as const) : new Set(person.buildings);
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

describe('the access map', () => {
  test('live/R3 takes only higher versions, so the past never widens what is narrower now', () => {
    const map = createAccessMap();
    expect(map.take(access(3))).toBe(false); // nobody is connected
    map.retain('u');
    expect(map.confirm('u', access(3, { buildings: [] }), 100)).toBe(true);
    expect(map.take(access(2, { buildings: ['a', 'b'] }))).toBe(false);
    expect(map.take(access(3, { buildings: ['a', 'b'] }))).toBe(false);
    expect(map.get('u')?.buildings).toEqual([]);
    expect(map.take(access(4))).toBe(true);
    expect(map.confirmedAt('u')).toBe(100);
    map.forget();
    expect(map.take(access(1))).toBe(true);
    map.release('u');
    expect(map.get('u')).toBeUndefined();
  });

  test('live/R3 a person whom the database does not know is disabled', () => {
    const map = createAccessMap();
    map.retain('u');
    map.confirm('u', undefined, 1);
    expect(map.get('u')).toMatchObject({ disabled: true, role: null, buildings: [] });
  });

  test('live/T4 the net change is what is lost and what is gained', () => {
    expect(
      accessChange(access(1, { buildings: ['a', 'b'] }), access(2, { buildings: ['b', 'c'] })),
    ).toMatchObject({
      version: 2,
      lost: ['a'],
      gained: ['c'],
    });
    const admin = access(2, { role: 'admin', buildings: 'all' });
    expect(accessChange(access(1), admin)).toMatchObject({ lost: [], gained: 'all' });
    expect(accessChange(admin, access(3))).toMatchObject({ lost: 'all', gained: [] });
    expect(accessChange(undefined, access(3))).toMatchObject({ lost: 'all', gained: ['a'] });
  });
});

describe('an event', () => {
  const row: EventRow = {
    g: '7',
    outbox_id: '9007199254740993',
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
    const known = access(2, { buildings: [] });
    const body = JSON.stringify({ access: known });
    expect(toStreamEvent({ ...row, op: 'access', body })).toMatchObject({
      text: '',
      control: { kind: 'access', userId: 'e', access: known },
    });
    expect(toStreamEvent({ ...row, op: 'access', body: null }).control).toMatchObject({ access: undefined });
    expect(toStreamEvent({ ...row, op: 'sessions_ended', body: null }).control).toMatchObject({
      sessions: 'all',
    });
    expect(toStreamEvent({ ...row, op: 'erase' }).control).toEqual({ kind: 'other' });
  });
});

describe('the gate', () => {
  test('live/T6 lets in one piece of work an owner, and others of the line past it, in their order', async () => {
    const gate = createGate({ places: 2, maxWaiting: 10, maxWaitMs: 60_000 });
    const begun: string[] = [];
    const end = new Map<string, () => void>();
    const work = (name: string) =>
      gate.run(() => {
        begun.push(name);
        return new Promise<void>((resolve) => end.set(name, resolve));
      }, name[0]);
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(work);
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    await settle();
    expect(begun).toEqual(['a1', 'b1']);
    end.get('b1')?.();
    await settle();
    // Its owner is free, so it does not wait for the two before it.
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
    expect(gate.waiting()).toBe(0);
  });

  test('live/T6 lets so many in at once, the others in their order, and refuses an endless line', async () => {
    const gate = createGate({ places: 2, maxWaiting: 3, maxWaitMs: 60_000 });
    const order: number[] = [];
    const releases: (() => void)[] = [];
    const work = (n: number) => () => {
      order.push(n);
      return new Promise<void>((resolve) => releases.push(resolve));
    };
    const all = [1, 2, 3, 4, 5].map((n) => gate.run(work(n)));
    await expect(gate.run(work(6))).rejects.toThrow(GateClosedError);
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

  test('live/T6 nobody waits for ever, and a failure gives the place back', async () => {
    const gate = createGate({ places: 1, maxWaiting: 3, maxWaitMs: 20 });
    let release = () => {};
    const first = gate.run(() => new Promise<void>((resolve) => (release = resolve)));
    await expect(gate.run(async () => 'late')).rejects.toThrow(GateClosedError);
    release();
    await first;
    await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await gate.run(async () => 'in')).toBe('in');
  });
});
