import { describe, expect, test } from 'vitest';
import { parseVisible } from '#shared/live/live.ts';
import { accessEffect, settleAccess } from '#web/live/access.ts';
import { classifyFrame } from '#web/live/stream/cursor.ts';
import { ResetPace } from '#web/live/stream/reset-pace.ts';
import { Ring, type RingItem } from '#web/live/stream/ring.ts';

const cursor = { epoch: 'e1', g: 10 };
const at = (g: number, epoch = 'e1') => ({ epoch, g });
const itemAt = (g: number): RingItem => ({
  event: {
    ...{ g, outboxId: `o${g}`, at: '', actor: null, command: 'sim', version: 0, operationId: null },
    ...{ entity: 'issue', entityId: 'b1', op: 'bulk' },
  },
});

describe('live/T1 what to do with a frame', () => {
  test('what follows the cursor is applied, also over positions that were not for this client', () => {
    expect(classifyFrame(cursor, at(11), { prev: 10 })).toBe('apply');
    expect(classifyFrame(cursor, at(20), { prev: 4 })).toBe('apply');
  });

  test('what is at or below the cursor is dropped', () => {
    expect(classifyFrame(cursor, at(10), { prev: 9 })).toBe('drop');
    expect(classifyFrame(cursor, at(3), { prev: 0 })).toBe('drop');
  });

  test('a frame whose predecessor is above the cursor shows that something was missed', () => {
    expect(classifyFrame(cursor, at(12), { prev: 11 })).toBe('gap');
  });

  test('another epoch is no continuation, and a reset is one wherever it points', () => {
    expect(classifyFrame(cursor, at(11, 'e2'), { prev: 10 })).toBe('gap');
    expect(classifyFrame(cursor, at(2, 'e2'), { prev: 2, reset: 'epoch' })).toBe('reset');
    expect(classifyFrame(cursor, at(10), { prev: 10, reset: 'too_old' })).toBe('reset');
  });
});

describe('live/J3 the ring', () => {
  test('knows from where on it is complete', () => {
    const ring = new Ring({ ageMs: 1000, items: 3 });
    ring.clear(5);
    for (const g of [6, 7, 8]) ring.push(itemAt(g), 0);
    ring.trim(0, 100);
    expect(ring.from).toBe(5);
    ring.push(itemAt(9), 0);
    ring.trim(0, 100);
    expect(ring.from).toBe(6);
    expect(ring.after(6).map(({ event }) => event.g)).toEqual([7, 8, 9]);
    ring.trim(1001, 100);
    expect([ring.from, ring.size]).toEqual([9, 0]);
  });

  test('never gives up a position that is not in the cache yet', () => {
    const ring = new Ring({ ageMs: 1000, items: 1 });
    ring.clear(0);
    for (const g of [1, 2, 3]) ring.push(itemAt(g), 0);
    ring.trim(0, 0);
    expect([ring.from, ring.size]).toEqual([0, 3]);
    ring.trim(0, 1);
    expect([ring.from, ring.size]).toEqual([1, 2]);
  });
});

test('live/T3 resets are answered once in ten seconds, and the third in a minute is told', () => {
  const pace = new ResetPace();
  expect(pace.next(0, 1)).toEqual({ waitMs: 0, tooOften: false });
  expect(pace.next(4000, 1)).toEqual({ waitMs: 6000, tooOften: false });
  expect(pace.next(5000, 1).tooOften).toBe(true);
  expect(pace.next(200_000, 1)).toEqual({ waitMs: 0, tooOften: false });
});

test('live/T3 those who are reset together ask apart from each other, the more they are the further', () => {
  const waits = (crowd: number) =>
    [0, 0.5, 0.999].map((chance) => new ResetPace(10_000, () => chance).next(0, crowd).waitMs);
  expect(waits(1)).toEqual([0, 0, 0]);
  expect(waits(101)).toEqual([0, 500, 999]);
  expect(waits(100_000)).toEqual([0, 5000, 9990]);
});

describe('what is seen after a change of access', () => {
  const scope = { accessVersion: 4, buildings: ['a', 'b'], permissions: [] };
  const change = { version: 5, from: 4, lost: ['a'], gained: ['c'], role: null, permissions: [] };

  test('live/T4 is what was known, changed, where it leads on from that', () => {
    expect(settleAccess(change, scope)).toMatchObject({
      settled: { buildings: ['b', 'c'] },
      isCertain: true,
    });
    const everything = { ...change, lost: [], gained: 'all' as const, buildings: 'all' as const };
    expect(settleAccess(everything, scope)).toMatchObject({ settled: { buildings: 'all' }, isCertain: true });
  });

  test('live/T4 has to be asked for where it leads on from another version, and what is lost is out at once', () => {
    const { settled, isCertain } = settleAccess({ ...change, version: 6, from: 3 }, scope);
    expect(isCertain).toBe(false);
    expect(accessEffect(settled, scope).lost?.('a')).toBe(true);
    const all = settleAccess(change, { ...scope, buildings: 'all' });
    expect(all).toMatchObject({ settled: { buildings: ['c'] }, isCertain: false });
  });

  test('live/R3 is what is known already, where that is newer', () => {
    const known = { ...scope, accessVersion: 7 };
    expect(settleAccess(change, known)).toMatchObject({
      settled: { buildings: ['a', 'b'] },
      isCertain: true,
    });
  });
});

describe('live/J1 what a snapshot holds', () => {
  test('is all before the first running transaction, and later ones that were not running', () => {
    const isVisible = parseVisible('100:108:100,103,104');
    const held = Array.from({ length: 12 }, (_, n) => 98 + n).filter((tx) => isVisible?.(tx));
    expect(held).toEqual([98, 99, 101, 102, 105, 106, 107]);
    expect(parseVisible('7:7:')?.(6)).toBe(true);
    expect(parseVisible('7:7:')?.(7)).toBe(false);
  });

  test.each(['', '7', '7:8', 'a:b:', '7:8:9;10', undefined])('is not read from %j', (text) => {
    expect(parseVisible(text)).toBeUndefined();
  });
});
