import { TRPCError } from '@trpc/server';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { invalidAt } from './problem.ts';

/** A parameter of an operation: a scalar of the procedure's input, or a list of scalars, or the cursor. */
export type Parameter = {
  name: string;
  /** The path of the parameter's value in the input. */
  at: readonly string[];
  in: 'path' | 'query';
  required: boolean;
  kind: 'scalar' | 'list' | 'cursor';
  schema: JsonSchema;
};

/**
 * The names in inputs for the start of a page. Callers of the API always send it as the opaque `cursor` of the previous page.
 */
const CURSORS = ['cursor', 'before'];
/** The longest cursor, in characters: in a cursor, a name takes at most twelve times its own length. */
const CURSOR_MAX = 16_384;

const WRONG_CURSOR = 'Not a cursor of this list';

/** The parts of an operation that determine its parameters. */
type Described = Pick<Operation, 'method' | 'path' | 'input'> & {
  without?: readonly string[];
  inPath?: Readonly<Record<string, string>>;
  sends?: 'file';
};

/**
 * Returns the parameters of an operation. If it reads, or its body is a file: the fields of its input, with the fields of
 * `filter` and `order` on the same level. If it writes otherwise: the names in its path.
 */
export function parametersOf({
  method,
  input,
  path,
  without = [],
  inPath = {},
  sends,
}: Described): Parameter[] {
  const { properties = {}, required = [] } = jsonSchemaOf(input, 'input');
  if (method !== 'get' && sends === undefined) {
    return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const field = inPath[name] ?? name;
      return { name, at: [field], in: 'path', required: true, ...kindOf(properties[field] ?? {}) };
    });
  }
  return Object.entries(properties).flatMap(([name, schema]): Parameter[] => {
    if (without.includes(name)) return [];
    if (CURSORS.includes(name)) {
      const text = { type: 'string', maxLength: CURSOR_MAX };
      return [{ name: 'cursor', at: [name], in: 'query', required: false, kind: 'cursor', schema: text }];
    }
    if (schema.properties !== undefined) {
      const isRequired = (inner: string) =>
        required.includes(name) && schema.required?.includes(inner) === true;
      return Object.entries(schema.properties).map(([inner, of]) => ({
        ...{ name: inner, at: [name, inner], in: 'query', required: isRequired(inner) },
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
 * Reads the input of an operation from an address. Values are converted to their types only; the procedure's own schema
 * validates them.
 * @throws AppError `invalid` for a parameter that is unknown or given twice, or a cursor that cannot be read
 */
export function readInput(
  parameters: readonly Parameter[],
  inPath: Readonly<Record<string, string>>,
  query: URLSearchParams,
): Record<string, unknown> {
  const known = new Set(parameters.filter((one) => one.in === 'query').map(({ name }) => name));
  for (const name of query.keys()) if (!known.has(name)) throw invalidAt(name, 'There is no such parameter');
  const input: Record<string, unknown> = {};
  for (const { name, at, kind, schema, ...parameter } of parameters) {
    const [outer = '', inner] = at;
    if (inner !== undefined) input[outer] ??= {};
    const given = parameter.in === 'path' ? [inPath[name] ?? ''] : query.getAll(name);
    if (given.length === 0) continue;
    if (kind !== 'list' && given.length > 1) throw invalidAt(name, 'Can only be given once');
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

/** Parses an input. @throws TRPCError with the schema's error, as a procedure does */
export function parseInput(schema: z.ZodType, input: unknown): Record<string, unknown> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: parsed.error });
  // The cast: the inputs of operations are objects.
  return parsed.data as Record<string, unknown>;
}

/** The query of a request as it was sent: the framework's parsed query no longer shows which parameters were repeated. */
export function queryOf({ raw }: Pick<FastifyRequest, 'raw'>): URLSearchParams {
  const url = raw.url ?? '';
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
}

function readScalar(text: string, { type }: JsonSchema): unknown {
  if (type === 'integer' || type === 'number') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** The text of a cursor, which callers send back unchanged. */
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
  throw invalidAt('cursor', WRONG_CURSOR);
}

/** In the errors of a procedure, names the parameters instead of fields of the input. */
export function errorsByParameter(
  parameters: readonly Parameter[],
  errors: Readonly<Record<string, unknown>>,
  query: URLSearchParams,
): Record<string, string> {
  const named = Object.entries(errors).map(([field, sentence]) => {
    const found = parameters.find(({ at }) => {
      const path = at.join('.');
      return field === path || field.startsWith(`${path}.`);
    });
    return [found?.name ?? field, String(sentence)] as const;
  });
  // The database may refuse a cursor of another list, without naming the parameter.
  return named.length === 0 && query.has('cursor') ? { cursor: WRONG_CURSOR } : Object.fromEntries(named);
}
