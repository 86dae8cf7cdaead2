import type { FastifyRequest } from 'fastify';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import type { CreateOperation, EditOperation } from './operation.ts';
import { invalidAt } from './problem.ts';

/** A field of a request's body. */
export type Field = { name: string; required: boolean; schema: JsonSchema };

/** Media types of a body. Only edits accept the second, a JSON merge patch (RFC 7396). */
export const BODY_TYPES = ['application/json', 'application/merge-patch+json'] as const;
/** Fields that callers do not send, because they are derived from the `Idempotency-Key`. */
const DERIVED = ['operationId', 'id'];

/**
 * The fields of an operation's body: those of its input; for an edit, those of `changes`, for which callers send the new
 * values.
 */
export function fieldsOf(operation: CreateOperation | EditOperation): Field[] {
  const { properties = {}, required = [] } = jsonSchemaOf(operation.input, 'input');
  if (operation.method === 'patch') {
    return Object.entries(properties['changes']?.properties ?? {}).map(([name, schema]) => ({
      name,
      required: false,
      schema: schema.properties?.['to'] ?? {},
    }));
  }
  const inPath = Object.values(operation.inPath ?? {});
  return Object.entries(properties)
    .filter(([name]) => !DERIVED.includes(name) && !inPath.includes(name))
    .map(([name, schema]) => ({ name, required: required.includes(name), schema }));
}

/**
 * Reads the body of a request. The procedure's own schema validates the values.
 * @throws AppError `invalid` if it is no JSON object, or has an unknown field
 */
export function readBody(
  { body }: Pick<FastifyRequest, 'body'>,
  fields: readonly string[],
): Record<string, unknown> {
  const read = parsed(body);
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw invalidAt('body', 'Not a JSON object');
  const unknown = Object.keys(read).find((name) => !fields.includes(name));
  if (unknown !== undefined) throw invalidAt(unknown, 'There is no such field');
  return { ...read };
}

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : '');
  } catch {
    return undefined;
  }
}

/**
 * The `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header-07: a quoted string). The same key without
 * quotes is accepted, because most programs send it so.
 * @throws AppError `invalid` if it is missing or too long
 */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const given = String(headers['idempotency-key'] ?? '').trim();
  const key = /^"(.*)"$/.exec(given)?.[1] ?? given;
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw invalidAt(
    'Idempotency-Key',
    'Required: a text of at most 255 characters, new for each object, the same for a repeated call',
  );
}

/** In the errors of a procedure, names the fields of the body instead of those of the procedure's input. */
export function errorsByField(
  operation: CreateOperation | EditOperation,
  errors: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const named = Object.entries(errors).map(([path, sentence]) => {
    const name = operation.method === 'patch' ? path.replace(/^changes\.?(\w*).*$/, '$1') : path;
    const [inPath = name] =
      Object.entries(operation.method === 'post' ? (operation.inPath ?? {}) : {}).find(
        ([, field]) => field === name,
      ) ?? [];
    return [inPath || 'body', String(sentence)] as const;
  });
  return Object.fromEntries(named);
}
