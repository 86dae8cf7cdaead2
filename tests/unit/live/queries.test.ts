import { expect, test } from 'vitest';
import { liveEntities } from '#shared/live/live-entities.ts';
import type { AnyLiveQuery } from '#web/live/types.ts';

const files = import.meta.glob<Record<string, unknown>>('../../../web/features/**/*.live.ts', {
  eager: true,
});
const isQuery = (value: unknown): value is AnyLiveQuery =>
  typeof value === 'object' && value !== null && 'entities' in value && 'apply' in value;
const queries = Object.values(files).flatMap((file) => Object.values(file).filter(isQuery));

test('each live query has a name of its own', () => {
  expect(queries.length).toBeGreaterThan(30);
  const names = queries.map(({ name }) => name);
  expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
});

test('every live entity concerns a query, besides that of the activity, which follows them all', () => {
  const followed = new Set<string>(
    queries.filter(({ name }) => name !== 'activity.list').flatMap(({ entities }) => entities),
  );
  // A sign-in is shown only in the activity.
  expect(Object.keys(liveEntities).filter((entity) => !followed.has(entity))).toEqual(['signIn']);
});
