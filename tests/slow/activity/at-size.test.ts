import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listActivity } from '#server/features/activity/activity.queries.ts';
import type { ActivityFilter } from '#shared/features/activity/activity.ts';
import { createWatchedDatabase, type WatchedDatabase } from '#tests/support/postgres/watched-database.ts';
import { createManyEvents } from '#tests/support/rows/many-events.ts';

const EVENTS = 50_000;
const NOW = new Date('2026-11-18T10:00:00.000Z');

let database: WatchedDatabase;
let ids: { people: string[]; buildings: string[] };

beforeAll(async () => {
  database = await createWatchedDatabase();
  ids = await createManyEvents(database.sql, { events: EVENTS, people: 50, buildings: 200, now: NOW });
});
afterAll(() => database.drop());

function plansOf(filter: ActivityFilter): Promise<string> {
  return database.plansOf(async () => {
    const { nextCursor } = await listActivity(database.db, { filter, limit: 50 });
    if (nextCursor !== null) await listActivity(database.db, { filter, limit: 50, cursor: nextCursor });
  });
}

describe('with many events on record', () => {
  test.for([
    ['everything', () => ({}), 'events_at'],
    ['one person', () => ({ actorId: ids.people[0] }), 'events_actor_at'],
    ['one building', () => ({ buildingId: ids.buildings[0] }), 'events_stream_at'],
    ['one kind', () => ({ entity: 'building' }), 'events_'],
    ['a person who did nothing', () => ({ actorId: ids.people.at(-1) }), 'events_actor_at'],
    [
      'a week long ago',
      () => ({ from: '2026-11-02T00:00:00.000Z', to: '2026-11-09T00:00:00.000Z' }),
      'events_at',
    ],
    ['a person in a building', () => ({ actorId: ids.people[0], buildingId: ids.buildings[0] }), 'events_'],
  ] as const)('%s is read from an index in its order', async ([, filter, index]) => {
    const copy = filter() as ActivityFilter;
    const plans = await plansOf(copy);
    expect(plans).toContain(index);
    expect(plans).not.toContain('Seq Scan on events');
    expect(plans).not.toContain('Seq Scan on event_payloads');
  });
});
