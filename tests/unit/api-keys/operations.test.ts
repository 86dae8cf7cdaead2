import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { derivedId } from '#server/http/rest/derived-id.ts';
import { namesTag } from '#server/http/rest/etag.ts';
import { fieldsOf, idempotencyKeyOf, readBody } from '#server/http/rest/fields.ts';
import { isContent, isUpload, neededPermissions, objectOf } from '#server/http/rest/operation.ts';
import { operations } from '#server/http/rest/operations.ts';
import { formatCursor, parametersOf, readInput } from '#server/http/rest/parameters.ts';
import {
  API_PERMISSIONS,
  API_SUBJECTS,
  accessTo,
  describeAccess,
  withAccess,
} from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { PROCEDURES } from '#tests/support/server/procedures.ts';

test('each operation calls a procedure with the same permission and input', () => {
  for (const operation of operations) {
    if (isContent(operation) || isUpload(operation)) continue;
    const { id, method, procedure, permission, input } = operation;
    const called = PROCEDURES.find(({ path }) => path === procedure);
    expect([id, called?.type]).toEqual([id, method === 'get' ? 'query' : 'mutation']);
    // If the operation's input is not the procedure's, `toInput` makes the procedure's input from the parameters.
    if (method === 'get' && operation.toInput !== undefined) expect(called?.inputs).toHaveLength(1);
    // A procedure without an input gets none.
    else if (Object.keys(input.shape).length > 0) expect(called?.inputs).toEqual([input]);
    else expect(called?.inputs).toEqual([]);
    // The permission to comment is decided in the command, so the guard differs.
    if (procedure !== 'issues.comment') expect([id, called?.meta?.guard]).toEqual([id, permission]);
    // The server remembers a key between calls, so the command itself must prove that the key is still valid.
    if (method !== 'get') expect([id, called?.meta?.provenByCommand]).toEqual([id, true]);
    // A key has no session in which a person could authenticate again.
    expect([id, called?.meta?.sensitive]).toEqual([id, undefined]);
  }
});

test('what an operation writes is in what it reads', () => {
  for (const operation of operations) {
    if (operation.method !== 'patch') continue;
    const fields = fieldsOf(operation).map(({ name }) => name);
    expect(fields.length).toBeGreaterThan(0);
    expect(Object.keys(objectOf(operation).schema.shape)).toEqual(expect.arrayContaining(fields));
  }
});

test('the permissions of keys are those of the operations, and each belongs to one subject', () => {
  const needed = new Set(operations.flatMap(neededPermissions));
  expect([...needed].sort()).toEqual([...API_PERMISSIONS].sort());
  const given = API_SUBJECTS.flatMap(({ read, change }) => [...read, ...change]);
  expect(given).toEqual([...API_PERMISSIONS]);
});

test('access is chosen by subject', () => {
  const subject = (name: string) => {
    const found = API_SUBJECTS.find((one) => one.name.startsWith(name));
    if (found === undefined) throw new Error(`no subject ${name}`);
    return found;
  };
  const [issues, assets, places] = [subject('issues'), subject('assets'), subject('clients')];
  const both = withAccess(withAccess([], issues, 'change'), assets, 'read');
  expect(describeAccess(both)).toEqual(['Read and change issues and their comments', 'Read assets']);
  expect([issues, assets, places].map((one) => accessTo(one, both))).toEqual(['change', 'read', 'none']);
  expect(withAccess(withAccess(both, issues, 'none'), assets, 'none')).toEqual([]);
  // Within one subject, access to change can cover only a part.
  const documents = withAccess([], subject('the log book'), 'change');
  expect(describeAccess(documents)).toEqual(['Read the log book and documents, change documents']);
  // A part of the permissions is described as the larger access rather than the smaller.
  expect(accessTo(places, ['view_locations'])).toBe('read');
  expect(accessTo(issues, ['edit_building_issues'])).toBe('change');
  const reports = withAccess([], issues, 'report');
  expect([reports, accessTo(issues, reports)]).toEqual([['create_building_issues'], 'report']);
  expect(describeAccess(reports)).toEqual(['Report issues']);
  expect(describeAccess(['view_assets', 'of_a_later_version'])).toEqual([
    'Read assets',
    'of_a_later_version',
  ]);
});

test('names are unique, and addresses by method', () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
});

test('ids made from an Idempotency-Key are stable UUIDs, different for every key and purpose', () => {
  const ids = ['a', 'b'].flatMap((key) =>
    ['x', 'y'].flatMap((repeated) =>
      (['operation', 'row'] as const).map((of) => derivedId(key, of, repeated)),
    ),
  );
  expect(new Set(ids).size).toBe(8);
  for (const id of ids) expect(z.uuid().parse(id)).toBe(id);
  expect(derivedId('a', 'row', 'x')).toBe(derivedId('a', 'row', 'x'));
});

test.each([
  ['"8e03-978e"', '8e03-978e'],
  ['8e03-978e', '8e03-978e'],
  [' spaced ', 'spaced'],
  ['""', undefined],
  ['', undefined],
  [undefined, undefined],
  ['x'.repeat(255), 'x'.repeat(255)],
  ['x'.repeat(256), undefined],
  ['caf\u00e9', undefined],
])('the Idempotency-Key %j', (header, key) => {
  const read = () => idempotencyKeyOf({ headers: { 'idempotency-key': header } });
  if (key !== undefined) expect(read()).toBe(key);
  else expect(read).toThrow(expect.objectContaining({ code: 'invalid' }));
});

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
])('If-Match: %s', (header, names) => expect(namesTag(header, '"a"')).toBe(names));

test('a body that is no object, or has an unknown field, is refused where it is wrong', () => {
  const fieldOf = (body: unknown) => {
    try {
      return readBody({ body }, ['title']);
    } catch (error) {
      return (error as { data: { fields: object } }).data.fields;
    }
  };
  const none = { body: 'Not a JSON object' };
  for (const body of [undefined, '', '{', '[]', 'null', '1', '"title"']) expect(fieldOf(body)).toEqual(none);
  expect(fieldOf('{"titel":"x"}')).toEqual({ titel: 'There is no such field' });
  expect(fieldOf('{"__proto__":{"title":"x"}}')).toEqual({ ['__proto__']: 'There is no such field' });
  expect(fieldOf('{"title":{"x":1}}')).toEqual({ title: { x: 1 } });
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
const parameters = parametersOf({ method: 'get', input, path: '/things/{id}' });
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
