import { z } from 'zod';
import { AppError } from '#shared/errors.ts';

/** A JSON schema, as far as it is looked at here. */
export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  [keyword: string]: unknown;
};

/** A parameter of an operation: a scalar of the procedure's input, or a list of scalars, or the cursor. */
export type Parameter = {
  name: string;
  /** Where its value is in the input. */
  at: readonly string[];
  in: 'path' | 'query';
  required: boolean;
  kind: 'scalar' | 'list' | 'cursor';
  schema: JsonSchema;
};

/** Inputs name the start of a page so; for callers of the API it is always the opaque `cursor` of the page before. */
const CURSORS = ['cursor', 'before'];
/** The longest cursor, in characters: the name that it continues from is at most twelve times as long as a name. */
const CURSOR_MAX = 16_384;

/**
 * Returns the parameters of an operation: the fields of its input, those of `filter` and `order` beside the others.
 * @param operation.without fields that callers cannot set
 */
export function parametersOf({
  input,
  path,
  without = [],
}: {
  input: z.ZodObject;
  path: string;
  without?: readonly string[] | undefined;
}): Parameter[] {
  const { properties = {}, required = [] } = jsonSchemaOf(input, 'input');
  return Object.entries(properties).flatMap(([name, schema]): Parameter[] => {
    if (without.includes(name)) return [];
    if (CURSORS.includes(name)) {
      const text = { type: 'string', maxLength: CURSOR_MAX };
      return [{ name: 'cursor', at: [name], in: 'query', required: false, kind: 'cursor', schema: text }];
    }
    if (schema.properties !== undefined) {
      return Object.entries(schema.properties).map(([inner, of]) => ({
        ...{ name: inner, at: [name, inner], in: 'query', required: false },
        ...kindOf(of),
      }));
    }
    const isInPath = path.includes(`{${name}}`);
    const place = isInPath ? 'path' : 'query';
    return [
      { name, at: [name], in: place, required: isInPath || required.includes(name), ...kindOf(schema) },
    ];
  });
}

function kindOf(schema: JsonSchema): Pick<Parameter, 'kind' | 'schema'> {
  return { kind: schema.type === 'array' ? 'list' : 'scalar', schema };
}

/**
 * Reads the input of an operation from an address. Values keep their meaning only as far as the type goes: the
 * procedure's own schema judges them.
 * @throws AppError `invalid` at a parameter that is unknown, given twice, or a cursor that cannot be read
 */
export function readInput(
  parameters: readonly Parameter[],
  inPath: Readonly<Record<string, string>>,
  query: URLSearchParams,
): Record<string, unknown> {
  const known = new Set(parameters.filter((one) => one.in === 'query').map(({ name }) => name));
  for (const name of query.keys()) if (!known.has(name)) throw invalid(name, 'There is no such parameter');
  const input: Record<string, unknown> = {};
  for (const { name, at, kind, schema, ...parameter } of parameters) {
    const [outer = '', inner] = at;
    if (inner !== undefined) input[outer] ??= {};
    const given = parameter.in === 'path' ? [inPath[name] ?? ''] : query.getAll(name);
    if (given.length === 0) continue;
    if (kind !== 'list' && given.length > 1) throw invalid(name, 'Can only be given once');
    const [text = ''] = given;
    const value =
      kind === 'cursor'
        ? readCursor(text)
        : kind === 'list'
          ? given.flatMap((one) => one.split(',')).map((one) => readScalar(one, schema.items ?? {}))
          : readScalar(text, schema);
    if (inner === undefined) input[outer] = value;
    else (input[outer] as Record<string, unknown>)[inner] = value;
  }
  return input;
}

function readScalar(text: string, { type }: JsonSchema): unknown {
  if (type === 'integer' || type === 'number') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** The text of a cursor that callers pass on unread. */
export function formatCursor(cursor: object): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function readCursor(text: string): object {
  try {
    if (text.length > CURSOR_MAX) throw new Error('too long');
    const cursor: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof cursor === 'object' && cursor !== null) return cursor;
  } catch {
    // Refused below.
  }
  throw invalid('cursor', 'Not a cursor of this list');
}

function invalid(name: string, sentence: string): AppError {
  return new AppError('invalid', { data: { fields: { [name]: sentence } } });
}

/** Names the parameters, instead of fields of the input, in the errors of a procedure. */
export function errorsByParameter(
  parameters: readonly Parameter[],
  fields: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const named = Object.entries(fields).map(([field, sentence]) => {
    const found = parameters.find(({ at }) => {
      const path = at.join('.');
      return field === path || field.startsWith(`${path}.`);
    });
    return [found?.name ?? field, String(sentence)] as const;
  });
  return Object.fromEntries(named);
}

/** @param io whether the schema is of what is sent here, or of what is answered */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const override = (of: Parameters<typeof withoutNoise>[0]) => {
    withoutNoise(of);
    // Answers may get more fields in a later version.
    if (io === 'output') delete of.jsonSchema['additionalProperties'];
  };
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, override });
  // The cast: the library's type has the same keywords, each as its own union.
  return rest as JsonSchema;
}

/** Leaves out what says no more than the type: the pattern of a format, and the largest safe integers. */
function withoutNoise({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
}
