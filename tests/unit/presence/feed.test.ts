import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LiveClass } from '#server/live/classes.ts';
import { FRAME_MAX_BYTES, splitPresence } from '#server/live/frames.ts';
import type { PresenceNote } from '#server/live/presence/presence.ts';
import { createPresenceFeed } from '#server/live/presence/presence-feed.ts';
import { createPresenceTable } from '#server/live/presence/presence-table.ts';
import type { Subscriber } from '#server/live/socket/subscriber.ts';
import type { Presence } from '#shared/live/live.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('who is where, as a process knows it', () => {
  let now = 0;
  const audience = { permission: 'view_building_issues' as const, buildings: ['here'] };
  const at = (id: string, part: 'title' | null = null) => ({ kind: 'issue' as const, id, part, audience });
  const note = (window: string, n: number, place: PresenceNote['at'], person = 'Mona'): PresenceNote => ({
    window,
    n,
    person: { id: person, name: person },
    at: place,
  });
  function table() {
    now = 0;
    const made = createPresenceTable({ monotonicMs: () => now });
    return {
      ...made,
      changes: () =>
        made.takeChanges().map(({ presence: { id, person, part, here } }) => [person.id, id, part, here]),
    };
  }

  test('is each person once at a subject, until their last window leaves', () => {
    const { hear, changes } = table();
    hear(note('w1', 1, at('one')));
    hear(note('w2', 1, at('one', 'title')));
    expect(changes()).toEqual([['Mona', 'one', 'title', true]]);
    // The window that only looks repeats its note; the other window still edits.
    hear(note('w1', 2, at('one')));
    expect(changes()).toEqual([]);
    hear(note('w2', 2, null));
    expect(changes()).toEqual([['Mona', 'one', null, true]]);
    hear(note('w1', 3, at('two')));
    expect(changes()).toEqual([
      ['Mona', 'one', null, false],
      ['Mona', 'two', null, true],
    ]);
  });

  test('what came and went between two frames is not told', () => {
    const { hear, changes } = table();
    hear(note('w1', 1, at('one')));
    hear(note('w1', 2, null));
    expect(changes()).toEqual([]);
  });

  test('ends at once where the person has lost the building, until a window says otherwise', () => {
    const { hear, lose, changes } = table();
    hear(note('w1', 1, at('one')));
    hear(note('w2', 1, at('one'), 'Vera'));
    changes();
    lose('Mona', ['elsewhere']);
    expect(changes()).toEqual([]);
    lose('Mona', ['here']);
    expect(changes()).toEqual([['Mona', 'one', null, false]]);
    // An earlier note that was still on its way.
    hear(note('w1', 0, at('one')));
    expect(changes()).toEqual([]);
    lose('Vera', 'all');
    expect(changes()).toEqual([['Vera', 'one', null, false]]);
    hear(note('w1', 2, at('two')));
    expect(changes()).toEqual([['Mona', 'two', null, true]]);
  });

  test('ends 45 s after the last word, to the second', () => {
    const { hear, expire, changes, told } = table();
    hear(note('w1', 1, at('one')));
    hear(note('w1', 1, at('one'), 'Vera'));
    changes();
    now = 44_000;
    hear(note('w1', 2, at('one'), 'Vera'));
    expire();
    expect(changes()).toEqual([]);
    now = 45_001;
    expire();
    expect(changes()).toEqual([['Mona', 'one', null, false]]);
    expect([...told()].map(({ presence }) => presence.person.id)).toEqual(['Vera']);
  });

  test('an earlier note that comes later does not count, also after the window left', () => {
    const { hear, farewell, changes } = table();
    hear(note('w1', 2, null));
    hear(note('w1', 1, at('one')));
    expect(changes()).toEqual([]);
    expect(farewell('Mona', 'w1')).toBeUndefined();
    hear(note('w1', 3, at('one')));
    expect(farewell('Mona', 'w1')).toEqual(note('w1', 3, null));
    expect(farewell('Vera', 'w1')).toBeUndefined();
  });
});

describe('what a process sends of presence', () => {
  const note = (n: number, part: 'title' | null): PresenceNote => ({
    window: 'w1',
    n,
    person: { id: 'Mona', name: 'Mona' },
    at: {
      kind: 'issue',
      id: 'one',
      part,
      audience: { permission: 'view_building_issues', buildings: ['here'] },
    },
  });
  /** A feed to one class with this number of members. It records the time at which each frame was sent. */
  function feedTo(members: number) {
    // The cast: only the number of members is read here.
    const one = { members: { size: members } } as LiveClass<Subscriber>;
    const sent: { at: number; people: readonly Presence[] }[] = [];
    const feed = createPresenceFeed({
      classes: { seeing: () => [one] },
      sender: {
        presenceToClass: (_, people) => void sent.push({ at: performance.now(), people }),
        presenceToOne: () => undefined,
      },
      publish: () => undefined,
      monotonicMs: () => performance.now(),
    });
    return { feed, sent };
  }

  test('is the first change at once, and what follows within 200 ms in one frame', () => {
    const { feed, sent } = feedTo(2);
    const start = performance.now();
    feed.hear(note(1, null));
    expect(sent).toHaveLength(1);
    feed.hear(note(2, 'title'));
    feed.hear(note(3, null));
    feed.hear(note(4, 'title'));
    vi.advanceTimersByTime(1_000);
    expect(sent.map(({ at }) => Math.round(at - start))).toEqual([0, 200]);
    expect(sent[1]?.people.map(({ part }) => part)).toEqual(['title']);
    feed.stop();
  });

  test('is bounded for a whole organisation, however often one person moves, and comes within a second', () => {
    const { feed, sent } = feedTo(3_000);
    for (let n = 0; n < 400; n += 1) {
      feed.hear(note(n, n % 2 === 0 ? null : 'title'));
      vi.advanceTimersByTime(25);
    }
    // The calls took ten seconds, at the rate that a person may reach.
    expect(sent.length * 3_000).toBeLessThanOrEqual(10 * 3_400 + 3_000);
    const pauses = sent.slice(1).map(({ at }, n) => at - (sent[n]?.at ?? 0));
    expect(Math.max(...pauses)).toBeLessThan(1_000);
    feed.stop();
  });

  test('fits the frames: many people with long names are several', () => {
    const people = Array.from({ length: 500 }, (_, n): Presence => {
      const person = { id: `${n}`, name: 'ü'.repeat(200) };
      return { kind: 'issue', id: 'one', person, part: null, here: true };
    });
    const lists = splitPresence(people);
    expect(lists.length).toBeGreaterThan(1);
    expect(lists.flat()).toEqual(people);
    for (const list of lists) expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThan(FRAME_MAX_BYTES);
    expect(splitPresence([])).toEqual([[]]);
  });
});
