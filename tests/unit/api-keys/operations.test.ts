import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { operations } from '#server/http/rest/operations.ts';
import { formatCursor, parametersOf, readInput } from '#server/http/rest/parameters.ts';
import { API_PERMISSION_CHOICES, API_PERMISSIONS } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { PROCEDURES } from '#tests/support/server/procedures.ts';

test('each operation calls a query with the same permission and input', () => {
  for (const { id, procedure, permission, input } of operations) {
    const called = PROCEDURES.find(({ path }) => path === procedure);
    expect([id, called?.type, called?.meta?.guard]).toEqual([id, 'query', permission]);
    expect(called?.inputs).toEqual([input]);
  }
});

test('the permissions of keys are those of the operations', () => {
  expect([...new Set(operations.map(({ permission }) => permission))].sort()).toEqual(
    [...API_PERMISSIONS].sort(),
  );
  const chosen = API_PERMISSION_CHOICES.flatMap(({ permissions }) => [...permissions]);
  expect(chosen).toEqual([...API_PERMISSIONS]);
});

test('names and addresses are unique', () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  expect(new Set(operations.map(({ path }) => path)).size).toBe(operations.length);
});

const input = z.strictObject({
  id: z.uuid(),
  filter: z.strictObject({
    states: z.array(z.enum(['on', 'off'])).optional(),
    isOpen: z.boolean().optional(),
  }),
  cursor: z.strictObject({ name: z.string(), id: z.uuid() }).optional(),
  limit: z.number().int().default(50),
});
const parameters = parametersOf({ input, path: '/things/{id}' });
const read = (query: string) => readInput(parameters, { id: 'x' }, new URLSearchParams(query));

test('fields of a filter are parameters beside the others', () => {
  expect(parameters.map(({ name, in: place, kind, required }) => [name, place, kind, required])).toEqual([
    ['id', 'path', 'scalar', true],
    ['states', 'query', 'list', false],
    ['isOpen', 'query', 'scalar', false],
    ['cursor', 'query', 'cursor', false],
    ['limit', 'query', 'scalar', false],
  ]);
});

test('values are read by their types; what is none is left to the schema', () => {
  expect(read('')).toEqual({ id: 'x', filter: {} });
  expect(read('states=on,off&states=on&isOpen=false&limit=7')).toEqual({
    id: 'x',
    filter: { states: ['on', 'off', 'on'], isOpen: false },
    limit: 7,
  });
  expect(read('isOpen=yes&limit=1e9')).toEqual({ id: 'x', filter: { isOpen: 'yes' }, limit: '1e9' });
});

test('a cursor comes back as it was given, and no other text makes one that is not an object', () => {
  fc.assert(
    fc.property(fc.record({ name: fc.string({ unit: 'grapheme' }), id: fc.uuid() }), (cursor) => {
      expect(read(`cursor=${formatCursor(cursor)}`)['cursor']).toEqual(cursor);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      let value: unknown;
      try {
        value = read(`cursor=${encodeURIComponent(text)}`)['cursor'];
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid', data: { fields: { cursor: expect.any(String) } } });
        return;
      }
      expect(value).toBeTypeOf('object');
    }),
  );
});
