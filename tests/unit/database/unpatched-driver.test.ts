import { expect, test } from 'vitest';
import { connectWith } from '#db/driver.ts';

const connection = () => ({}) as ReturnType<Parameters<typeof connectWith>[0]>;

test('a driver without the patches is refused, because it would hand out the answer to another query', () => {
  const refusal = 'run "node scripts/setup.mjs"';
  expect(() => connectWith(connection)('postgres://localhost/lintel', {})).toThrow(refusal);
  // The mark of the patch alone is not enough.
  const marked = Object.assign(() => connection(), { patched: true as const });
  expect(() => connectWith(marked)('postgres://localhost/lintel', {})).toThrow(refusal);
});
