import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TellPresenceInput } from '#shared/features/presence/presence.ts';
import type { Presence } from '#shared/live/live.ts';
import { Announcer } from '#web/live/announcer.ts';
import { PresenceStore } from '#web/live/presence.ts';

const said = (name: string, here = true): Presence => ({
  kind: 'issue',
  id: 'one',
  person: { id: name, name },
  part: null,
  here,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the people that a window shows', () => {
  const names = (store: PresenceStore) => store.of('issue', 'one').map(({ name }) => name);

  test('are the others, by name, until they leave', () => {
    const store = new PresenceStore();
    store.take({ people: [said('Vera'), said('Mona'), said('Own')] }, 'Own');
    expect(names(store)).toEqual(['Mona', 'Vera']);
    store.take({ people: [{ ...said('Vera'), part: 'title' }] }, 'Own');
    expect(store.of('issue', 'one')).toEqual([
      { id: 'Mona', name: 'Mona', part: null },
      { id: 'Vera', name: 'Vera', part: 'title' },
    ]);
    store.take({ people: [said('Vera', false)] }, 'Own');
    expect(names(store)).toEqual(['Mona']);
    expect(store.of('issue', 'two')).toEqual([]);
    expect(store.of('document', 'one')).toEqual([]);
  });

  test('are replaced where everybody is told', () => {
    const store = new PresenceStore();
    store.take({ people: [said('Vera')] }, undefined);
    store.take({ all: true, people: [said('Mona')] }, undefined);
    expect(names(store)).toEqual(['Mona']);
    store.take({ all: true, people: [] }, undefined);
    expect(names(store)).toEqual([]);
  });

  test('are unknown 45 s after the connection is lost, and stay over a shorter break', () => {
    const store = new PresenceStore();
    store.take({ people: [said('Mona')] }, undefined);
    store.connection(false);
    vi.advanceTimersByTime(44_000);
    store.connection(true);
    vi.advanceTimersByTime(10_000);
    expect(names(store)).toEqual(['Mona']);
    store.connection(false);
    vi.advanceTimersByTime(45_000);
    expect(names(store)).toEqual([]);
  });

  test('are a bounded number', () => {
    const store = new PresenceStore();
    store.take({ people: Array.from({ length: 600 }, (_, n) => said(`Person ${n}`)) }, undefined);
    expect(store.of('issue', 'one')).toHaveLength(500);
    store.take({ people: [said('Person 0', false), said('Person 599')] }, undefined);
    expect(store.of('issue', 'one')).toHaveLength(500);
    store.clear();
    expect(store.of('issue', 'one')).toEqual([]);
  });
});

describe('a window tells where it is', () => {
  function announcer() {
    const calls: TellPresenceInput[] = [];
    const one = new Announcer('w', async (input) => calls.push(input));
    return { one, calls, places: () => calls.map(({ at }) => at) };
  }
  const issue = { kind: 'issue', id: 'one' } as const;

  test('at once, then once per pace with the newest state, each with a higher number', () => {
    const { one, calls, places } = announcer();
    const stay = one.enter(issue);
    vi.advanceTimersByTime(1);
    expect(places()).toEqual([issue]);
    stay.workOn('title');
    stay.workOn(undefined);
    stay.workOn('description');
    vi.advanceTimersByTime(100);
    expect(places()).toHaveLength(1);
    vi.advanceTimersByTime(400);
    expect(places().slice(1)).toEqual([{ ...issue, part: 'description' }]);
    stay.leave();
    vi.advanceTimersByTime(400);
    expect(places().at(-1)).toBeNull();
    expect(calls.map(({ n }) => n)).toEqual([1, 2, 3]);
    vi.advanceTimersByTime(120_000);
    expect(calls).toHaveLength(3);
  });

  test('again every 20 s, and nothing that others know already', () => {
    const { one, calls } = announcer();
    const stay = one.enter(issue);
    vi.advanceTimersByTime(61_000);
    expect(calls).toHaveLength(4);
    stay.workOn('title');
    stay.workOn(undefined);
    vi.advanceTimersByTime(1_000);
    expect(calls).toHaveLength(4);
  });

  test('as the subject that was opened last, and the one below when that is closed', () => {
    const { one, places } = announcer();
    one.enter({ kind: 'check', id: 'site' });
    const above = one.enter(issue);
    vi.advanceTimersByTime(1);
    above.leave();
    vi.advanceTimersByTime(1_000);
    expect(places()).toEqual([issue, { kind: 'check', id: 'site' }]);
  });

  test('before the page closes, and again when it comes back or the connection does', () => {
    const { one, places } = announcer();
    one.again();
    one.close();
    vi.advanceTimersByTime(2_000);
    expect(places()).toEqual([]);
    one.enter(issue);
    vi.advanceTimersByTime(1);
    one.close();
    expect(places()).toEqual([issue, null]);
    one.again();
    vi.advanceTimersByTime(2_000);
    expect(places()).toEqual([issue, null, issue]);
    one.stop();
    vi.advanceTimersByTime(60_000);
    expect(places()).toHaveLength(3);
  });

  test('again where others were told that it has gone', () => {
    const { one, places } = announcer();
    one.enter(issue);
    vi.advanceTimersByTime(1_000);
    one.hear([said('Own'), { ...said('Own', false), id: 'two' }, said('Vera', false)], 'Own');
    vi.advanceTimersByTime(2_000);
    expect(places()).toEqual([issue]);
    one.hear([said('Own', false)], 'Own');
    vi.advanceTimersByTime(2_000);
    expect(places()).toEqual([issue, issue]);
  });
});
