import { VERSION } from '../../kernel/version.ts';
import { type Operation, operations } from './operations.ts';
import { jsonSchemaOf, parametersOf } from './parameters.ts';

const PROBLEM = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    detail: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'string' } },
    reference: { type: 'string' },
  },
  required: ['type', 'title', 'status', 'code'],
};
const REFUSALS = {
  400: 'A parameter is wrong; `errors` names it and says why.',
  401: 'The key is missing, unknown, revoked or expired.',
  403: 'The key does not have the permission.',
  404: 'Not found, or in a building that this key cannot see.',
  429: 'Too many calls; `Retry-After` says when to go on.',
  500: 'Unexpected; `reference` is for the operator.',
  503: 'The server is busy or the database cannot be reached; `Retry-After` says when to try again.',
};

const TEXT = { schema: { type: 'string' } };
const SECONDS = { schema: { type: 'integer' } };
const IF_NONE_MATCH = { name: 'If-None-Match', in: 'header', required: false, ...TEXT };

/** The description of the API by OpenAPI 3.1, made from the operations and their schemas. */
export function openApiDocument(): Record<string, unknown> {
  const rows = new Map(operations.map(({ row }) => [row.name, row.schema]));
  const schemas = [...rows].map(([name, schema]) => [name, jsonSchemaOf(schema, 'output')] as const);
  const paths = operations.map((operation) => [operation.path, { get: described(operation) }] as const);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lintel',
      version: VERSION,
      description: 'Reads issues, compliance tasks, assets and places with a key of the API.',
    },
    servers: [{ url: '/api/v1' }],
    security: [{ key: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key from Settings, API keys.' },
      },
      schemas: { ...Object.fromEntries(schemas), Problem: PROBLEM },
    },
  };
}

function described(operation: Operation): Record<string, unknown> {
  const { id, summary, path, row, permission, answers } = operation;
  const refusals = Object.entries(REFUSALS).map(([status, description]) => {
    const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
    const headers = ['429', '503'].includes(status) ? { headers: { 'Retry-After': SECONDS } } : {};
    return [status, { description, ...headers, content }] as const;
  });
  return {
    operationId: id,
    summary,
    description: `Needs the permission \`${permission}\`.`,
    tags: [path.split('/')[1]],
    parameters: [
      ...parametersOf(operation).map(({ name, in: place, required, kind, schema }) => ({
        name,
        in: place,
        required,
        schema,
        ...(kind === 'list' && { style: 'form', explode: true }),
      })),
      ...(answers === 'one' ? [IF_NONE_MATCH] : []),
    ],
    responses: {
      200: {
        description: 'OK',
        headers: { RateLimit: TEXT, ...(answers === 'one' && { ETag: TEXT }) },
        content: { 'application/json': { schema: answerOf(operation) } },
      },
      ...(operation.answers === 'one' && {
        304: { description: 'The version in `If-None-Match` is current.' },
      }),
      ...Object.fromEntries(refusals),
    },
  };

  function answerOf({ answers }: Operation): Record<string, unknown> {
    const $ref = `#/components/schemas/${row.name}`;
    if (answers === 'one') return { $ref };
    return {
      type: 'object',
      properties: {
        data: { type: 'array', items: { $ref } },
        nextCursor: { type: ['string', 'null'], description: 'Null on the last page.' },
      },
      required: ['data', 'nextCursor'],
    };
  }
}
