import { expect, test } from 'vitest';
import { readInParts } from '#server/kernel/concurrency/read-in-parts.ts';

test('rows are read in parts, and come in the order of their ids without those that are gone', async () => {
  const ids = Array.from({ length: 1_203 }, (_, n) => `id ${n}`);
  const asked: number[] = [];
  const rows = await readInParts(ids, async (some) => {
    asked.push(some.length);
    return some
      .filter((id) => id !== 'id 700')
      .map((id) => ({ id }))
      .reverse();
  });
  expect(rows.map(({ id }) => id)).toEqual(ids.filter((id) => id !== 'id 700'));
  expect(asked).toEqual([500, 500, 203]);
  asked.length = 0;
  await readInParts(
    ids.slice(0, 12),
    async (some) => {
      asked.push(some.length);
      return [];
    },
    { atOnce: 5 },
  );
  expect(asked).toEqual([5, 5, 2]);
});
