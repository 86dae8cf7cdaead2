import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Presence } from '#shared/live.ts';
import { PresenceStore } from '#web/live/presence.ts';

const said = (window: string, name: string, here = true): Presence => ({
  entity: 'issue',
  entityId: 'one',
  window,
  person: { id: name, name },
  here,
});
const names = (store: PresenceStore) => store.of('issue', 'one').map(({ name }) => name);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('who has a row open', () => {
  test('is each person once, by name, until their last window leaves', () => {
    const store = new PresenceStore();
    store.see(said('w2', 'Vera'));
    store.see(said('w1', 'Mona'));
    store.see(said('w3', 'Vera'));
    expect(names(store)).toEqual(['Mona', 'Vera']);
    store.see(said('w2', 'Vera', false));
    expect(names(store)).toEqual(['Mona', 'Vera']);
    store.see(said('w3', 'Vera', false));
    expect(names(store)).toEqual(['Mona']);
    expect(store.of('issue', 'two')).toEqual([]);
  });

  test('is forgotten after 45 s without a word, and not while they go on saying so', () => {
    const store = new PresenceStore();
    store.see(said('w1', 'Mona'));
    store.see(said('w2', 'Vera'));
    vi.advanceTimersByTime(40_000);
    store.see(said('w2', 'Vera'));
    vi.advanceTimersByTime(10_000);
    expect(names(store)).toEqual(['Vera']);
    vi.advanceTimersByTime(40_000);
    expect(names(store)).toEqual([]);
  });

  test('newcomers are answered once each, and not those who say it again', () => {
    const store = new PresenceStore();
    const told = vi.fn();
    const stop = store.onNewcomer('issue', 'one', told);
    store.see(said('w1', 'Mona'));
    store.see(said('w1', 'Mona'));
    expect(told).toHaveBeenCalledTimes(1);
    stop();
    store.see(said('w2', 'Vera'));
    expect(told).toHaveBeenCalledTimes(1);
  });

  test('is a bounded number of windows', () => {
    const store = new PresenceStore();
    for (let n = 0; n < 600; n += 1) store.see(said(`w${n}`, `Person ${n}`));
    expect(store.of('issue', 'one')).toHaveLength(500);
    store.clear();
    expect(store.of('issue', 'one')).toEqual([]);
  });
});
