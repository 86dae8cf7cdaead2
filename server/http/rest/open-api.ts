import type { ApiObject } from '#shared/api/objects.ts';
import { VERSION } from '../../kernel/version.ts';
import { API_ADDRESS } from './address.ts';
import { BODY_TYPES, fieldsOf } from './fields.ts';
import { jsonSchemaOf } from './json-schema.ts';
import {
  type ContentOperation,
  type CreateOperation,
  type EditOperation,
  isContent,
  isUpload,
  neededPermissions,
  type Operation,
  objectOf,
  type UploadOperation,
} from './operation.ts';
import { operations, subjectOf } from './operations.ts';
import { parametersOf } from './parameters.ts';
import { describedWebhooks, messageObjects } from './webhook-messages.ts';

type Json = Record<string, unknown>;

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
  400: 'A parameter, header or field is wrong; `errors` names it and says why.',
  401: 'The key is missing, unknown, revoked or expired.',
  403: 'The key does not have the permission.',
  404: 'Not found, or in a building that this key cannot see.',
  429: 'Too many calls; `Retry-After` says when to go on.',
  500: 'Unexpected; `reference` is for the operator.',
  503: 'The server is busy or the database cannot be reached; `Retry-After` says when to try again.',
};
const REFUSALS_OF_WRITES = { 413: 'The body is too large.', 415: 'The body is not JSON.' };
const REFUSALS_BY_METHOD = {
  get: REFUSALS,
  post: {
    ...REFUSALS,
    ...REFUSALS_OF_WRITES,
    409: 'The `Idempotency-Key` was used before, so long ago that its answer is no longer kept.',
    422: 'The `Idempotency-Key` was used before, for another operation or with other fields.',
  },
  patch: {
    ...REFUSALS,
    ...REFUSALS_OF_WRITES,
    412: 'The object is not the one in `If-Match` any more. Read it again.',
    428: '`If-Match` is missing.',
  },
};

const REFUSALS_OF_UPLOADS = {
  411: '`Content-Length` is missing.',
  413: 'The file is larger than the operator allows.',
  415: 'The body is a form. Send the bytes of the file.',
};

const TEXT = { schema: { type: 'string' } };
const SECONDS = { schema: { type: 'integer' } };
const HEADERS = {
  'If-None-Match': { required: false, ...TEXT },
  Range: { required: false, description: 'Such as `bytes=0-1023`.', ...TEXT },
  'If-Match': {
    required: true,
    description: 'The `ETag` with which the object was read.',
    ...TEXT,
  },
  'Idempotency-Key': {
    required: true,
    description:
      'A new text for each object, such as a UUID; the same when the call is repeated after a lost answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
} as const;

/** A file, of any media type. Generators of clients interpret this type, and a `binary` string, as bytes. */
const FILE = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
const CONTENT = {
  200: {
    description: 'The file. Its `ETag` is its SHA-256.',
    headers: { RateLimit: TEXT, ETag: TEXT },
    content: FILE,
  },
  206: { description: 'The part of the file that `Range` names.', content: FILE },
  304: { description: 'The file is that of `If-None-Match`.' },
  416: { description: 'The file has no such `Range`.' },
};

/** The description of the API by OpenAPI 3.1, made from the operations and their schemas. */
export function openApiDocument(): Json {
  const answered = operations.flatMap((operation) => objectOf(operation) ?? []);
  const objects = new Map(answered.map(({ name, schema }) => [name, schema]));
  const schemas = [...objects].map(([name, schema]) => [name, jsonSchemaOf(schema, 'output')] as const);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: described(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lintel',
      version: VERSION,
      description:
        'Reads and changes issues, compliance tasks, assets and documents, and reads places, people and the log book, with a key of the API; webhooks report changes.',
    },
    servers: [{ url: API_ADDRESS }],
    security: [{ key: [] }],
    paths,
    webhooks: describedWebhooks(),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key from Settings, API keys.' },
      },
      schemas: { ...messageObjects(), ...Object.fromEntries(schemas), Problem: PROBLEM },
    },
  };
}

function described(operation: Operation): Json {
  const { id, summary, method } = operation;
  const needed = neededPermissions(operation);
  return {
    operationId: id,
    summary,
    description: `Needs ${needed.map((one) => `\`${one}\``).join(' and ')}.`,
    tags: [subjectOf(operation)],
    parameters: [
      ...parametersOf(operation).map(({ name, in: place, required, kind, schema }) => ({
        name,
        in: place,
        required,
        schema,
        ...(kind === 'list' && { style: 'form', explode: true }),
      })),
      ...headersOf(operation).map((name) => ({ name, in: 'header', ...HEADERS[name] })),
    ],
    ...(operation.method !== 'get' && {
      requestBody: { required: true, content: contentOf(operation) },
    }),
    responses: {
      ...successesOf(operation),
      ...Object.fromEntries(
        Object.entries({
          ...REFUSALS_BY_METHOD[method],
          ...(isUpload(operation) && REFUSALS_OF_UPLOADS),
        }).map(([status, description]) => [status, refusal(status, description)]),
      ),
    },
  };
}

/** The headers of an operation, except the one with the key. */
function headersOf(operation: Operation): (keyof typeof HEADERS)[] {
  if (operation.method === 'post') return ['Idempotency-Key'];
  if (operation.method === 'patch') return ['If-Match'];
  if (isContent(operation)) return ['If-None-Match', 'Range'];
  return operation.answers === 'many' ? [] : ['If-None-Match'];
}

function contentOf(operation: CreateOperation | EditOperation | UploadOperation): Json {
  if (isUpload(operation)) return FILE;
  const schema = bodyOf(operation);
  const types = operation.method === 'patch' ? BODY_TYPES : BODY_TYPES.slice(0, 1);
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function bodyOf(operation: CreateOperation | EditOperation): Json {
  const fields = fieldsOf(operation);
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    ...(operation.method === 'patch' && { minProperties: 1 }),
    additionalProperties: false,
  };
}

function successesOf(operation: Operation): Json {
  if (isContent(operation)) return CONTENT;
  const schema = answerOf(operation);
  const answer = (description: string, headers: Json) => ({
    description,
    headers: { RateLimit: TEXT, ...headers },
    content: { 'application/json': { schema } },
  });
  if (operation.method === 'post') {
    return {
      201: answer(
        'Added, now or by an earlier call with this key.',
        operation.location === undefined ? {} : { Location: TEXT },
      ),
    };
  }
  if (operation.method === 'patch') return { 200: answer('The object after the change.', { ETag: TEXT }) };
  if (operation.answers === 'many') return { 200: answer('OK', {}) };
  return {
    200: answer('OK', { ETag: TEXT }),
    304: { description: 'The version in `If-None-Match` is current.' },
  };
}

function answerOf(operation: Exclude<Operation, ContentOperation>): Json {
  const object = reference(objectOf(operation));
  if (operation.method !== 'get' || operation.answers === 'one') return object;
  return {
    type: 'object',
    properties: {
      data: { type: 'array', items: object },
      nextCursor: { type: ['string', 'null'], description: 'Null on the last page.' },
    },
    required: ['data', 'nextCursor'],
  };
}

function reference({ name }: Pick<ApiObject, 'name'>): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function refusal(status: string, description: string): Json {
  return {
    description,
    ...(['429', '503'].includes(status) && { headers: { 'Retry-After': SECONDS } }),
    content: { 'application/problem+json': { schema: reference({ name: 'Problem' }) } },
  };
}
