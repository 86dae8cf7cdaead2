import { expect, test } from 'vitest';
import { assertRecent } from '#server/boot/own-connections.ts';

test('a Postgres that is too old is refused with a sentence that names both', () => {
  expect(() => assertRecent({ version: '16.10 (Ubuntu)', number: 160_010 })).toThrow(
    'DATABASE_URL leads to Postgres 16.10 (Ubuntu). Lintel needs Postgres 17 or later.',
  );
  expect(() => assertRecent({ version: '17.0', number: 170_000 })).not.toThrow();
});
