import { expect, test } from 'vitest';
import { liveQueries } from '#web/app/live-queries.ts';
import type { AnyLiveQuery } from '#web/live/types.ts';

const files = import.meta.glob<Record<string, unknown>>('../../../web/features/**/*.live.ts', {
  eager: true,
});
const isQuery = (value: unknown): value is AnyLiveQuery =>
  typeof value === 'object' && value !== null && 'entities' in value && 'apply' in value;
const defined = Object.values(files).flatMap((file) => Object.values(file).filter(isQuery));

test('the registry has every live query that a feature defines, each under a name of its own', () => {
  expect(defined.length).toBeGreaterThan(30);
  const names = (queries: readonly AnyLiveQuery[]) => queries.map(({ name }) => name).sort();
  expect(names(liveQueries)).toEqual(names(defined));
  expect(new Set(names(defined)).size).toBe(defined.length);
});
