import { expect, test, vi } from 'vitest';
import { connect } from '#db/client.ts';

vi.mock('postgres', () => ({ default: () => ({ options: { parsers: {}, serializers: {} } }) }));

test('a driver without the patches is refused, because it would hand out the answer to another query', () => {
  expect(() => connect('postgres://localhost/lintel')).toThrow('run "node scripts/setup.mjs"');
});
