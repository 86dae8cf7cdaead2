import fc from 'fast-check';
import { z } from 'zod';

// Inputs that are nearly valid: generated from a procedure's own schema, then spoiled in places.

type JsonSchema = z.core.JSONSchema.BaseSchema;
/** Ids of existing rows and valid texts, by the name of the field that may contain them. */
export type KnownIds = Readonly<Record<string, string>>;

/** Replaced in the JSON text by values that `JSON.stringify` cannot write. */
const BEYOND = '"<1e400>"';
const DIGITS = '"<digits>"';
const PROTO = '"<proto>"';

const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  'half \ud800',
  '\udc00',
  '\u202e\u0645\u0631\u062d\u0628\u0627',
  'İıſKÅ',
  '👩‍👩‍👧‍👦'.repeat(50),
  'x'.repeat(201),
  'x'.repeat(20_000),
  "'; drop table profiles; --",
  '%_\\%',
  '<img src=x onerror=alert(1)>',
  '=cmd|calc',
  '../../etc/passwd',
  '__proto__',
  '[object Object]',
  '0000-01-01T00:00:00Z',
  '0000-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
  `2026-01-01T00:00:00.${'1'.repeat(500)}Z`,
  '2026-02-30T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
];
const ODD_NUMBERS = [0, -1, 1, 0.5, 1e9, -1e9, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e21, 1e308, 5e-324];

function deep(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const oddText = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 300 }));
const odd: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom<unknown>(...ODD_NUMBERS, null, true, false, [], {}, [null], deep(2_000)),
  fc.constantFrom<unknown>(
    '<1e400>',
    '<digits>',
    { '<proto>': { role: 'admin' } },
    { constructor: 1, toString: 2 },
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Generates inputs of a procedure, valid or nearly so, as JSON text. */
export function inputsOf(schema: z.ZodType, ids: KnownIds): fc.Arbitrary<string> {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return fc.oneof({ arbitrary: near(json, ids), weight: 9 }, { arbitrary: odd, weight: 1 }).map(toJson);
}

function toJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text
    .replaceAll(BEYOND, '1e400')
    .replaceAll(DIGITS, '9'.repeat(10_000))
    .replaceAll(PROTO, '"__proto__"');
}

/** Mostly values that fit the schema. */
function near(schema: JsonSchema, ids: KnownIds, name = ''): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: right(schema, ids, name), weight: 14 }, { arbitrary: odd, weight: 1 });
}

function right(schema: JsonSchema, ids: KnownIds, name: string): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => near(asObject(choice), ids, name)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom<unknown>(...schema.enum);
  switch (schema.type) {
    case 'object':
      return objectOf(schema, ids);
    case 'array':
      return fc.array(near(asObject(schema.items), ids, name), { maxLength: 6 });
    case 'string':
      return textOf(schema, ids[name]);
    case 'number':
    case 'integer':
      return fc.oneof(
        withinBounds(schema),
        fc.integer({ min: 1, max: 200 }),
        fc.constantFrom(...ODD_NUMBERS),
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return odd;
  }
}

const RECENT = { min: new Date('1990-01-01'), max: new Date('2027-12-31') };

/** Integers that the schema allows. */
function withinBounds({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const min = Math.ceil(Math.max(minimum ?? 0, -1_000_000));
  return fc.integer({ min, max: Math.max(min, Math.floor(Math.min(maximum ?? min + 200, 1_000_000))) });
}

function textOf(schema: JsonSchema, known: string | undefined): fc.Arbitrary<string> {
  switch (schema.format) {
    case 'uuid':
      if (known === undefined) return fc.uuid();
      return fc.oneof(
        { arbitrary: fc.constantFrom(known, known, known.toUpperCase()), weight: 4 },
        { arbitrary: fc.uuid(), weight: 1 },
      );
    case 'date-time':
      if (known !== undefined) return fc.constant(known);
      return fc
        .oneof(fc.date({ noInvalidDate: true }), fc.date({ ...RECENT, noInvalidDate: true }))
        .map((date) => date.toISOString());
    case 'date':
      if (known !== undefined) return fc.constant(known);
      return fc.date({ ...RECENT, noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
    case 'email':
      return fc.emailAddress();
    default:
      return fc.oneof(
        {
          arbitrary: known === undefined ? fc.string({ minLength: 1, maxLength: 40 }) : fc.constant(known),
          weight: 3,
        },
        { arbitrary: oddText, weight: 2 },
      );
  }
}

function objectOf(schema: JsonSchema, ids: KnownIds): fc.Arbitrary<unknown> {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, of]) =>
    fc
      .tuple(near(asObject(of), ids, name), fc.integer({ min: 0, max: 19 }))
      .map(([value, luck]): [string, unknown][] =>
        luck < (required.has(name) ? 1 : 13) ? [] : [[name, value]],
      ),
  );
  const extra = fc.oneof(
    { arbitrary: fc.constant<[string, unknown][]>([]), weight: 12 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom('<proto>', 'constructor', 'hasOwnProperty', 'extra', ''), odd)
        .map((one): [string, unknown][] => [one]),
      weight: 1,
    },
  );
  return fc.tuple(...fields, extra).map((entries) => Object.fromEntries(entries.flat()));
}

function asObject(schema: unknown): JsonSchema {
  // The cast: a JSON schema may also be true or false, which zod never writes for our inputs.
  return typeof schema === 'object' && schema !== null ? (schema as JsonSchema) : {};
}
