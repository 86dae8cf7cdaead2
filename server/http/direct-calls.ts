import { Readable } from 'node:stream';
import {
  type AnyTRPCRouter as AnyRouter,
  callTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  type TRPCError,
} from '@trpc/server';
import { getHTTPStatusCode } from '@trpc/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { withErrorListener } from '../adapters/with-error-listener.ts';
import type { Context } from '../kernel/context.ts';
import { isLong } from '../kernel/is-long.ts';
import { goneSignal } from './gone-signal.ts';
import { jsonPieces } from './json-pieces.ts';

// Answers well-formed requests without the fetch-style objects that tRPC's adapter makes of each. If a request may be
// malformed, it is left to the adapter, so that there is one source of errors about requests.

/** The same options as those of tRPC's adapter. */
export type CallOptions = {
  router: AnyRouter;
  maxBatchSize: number;
  createContext(of: { req: FastifyRequest; res: FastifyReply }): Promise<Context>;
  onError(of: { error: TRPCError; path: string | undefined; req: FastifyRequest }): void;
  responseMeta(of: { paths: readonly string[] | undefined }): { headers?: Record<string, string> };
};

type Kind = 'query' | 'mutation';
type Calls = { batched: boolean; kind: Kind; paths: readonly string[]; inputs: Readonly<object> };
type Result = { result: { data: unknown } } | { error: unknown };

/** The path and the query of a URL that has nothing to decode in its path but commas, which proxies may encode. */
const PLAIN_URL = /^\/trpc\/((?:[\w.,]|%2[Cc])+)(?:\?([^#]*))?$/;

/** @returns the procedures' paths, joined by commas, and the query; undefined if the path may need more decoding */
export function plainPathsOf(url: string): { paths: string; query: string } | undefined {
  const [, paths, query = ''] = PLAIN_URL.exec(url) ?? [];
  return paths === undefined ? undefined : { paths: paths.replaceAll(/%2[Cc]/g, ','), query };
}

/**
 * Creates the function that answers calls directly.
 * @returns the answer, as a stream where it is long; undefined, with the request unread, if it is left to tRPC's adapter
 */
export function createDirectCalls(
  options: CallOptions,
): (req: FastifyRequest, res: FastifyReply) => Promise<string | Readable> | undefined {
  const { router, createContext, onError, responseMeta } = options;
  const config = router._def._config;
  const kinds = kindsOf(router);

  async function answer(calls: Calls, req: FastifyRequest, res: FastifyReply): Promise<string | Readable> {
    const { batched, kind, paths, inputs } = calls;
    let ctx: Context | undefined;
    let refused: unknown;
    try {
      ctx = await createContext({ req, res });
    } catch (error) {
      refused = error;
    }

    const failed = (cause: unknown, path: string | undefined, input: unknown): Result => {
      const error = getTRPCErrorFromUnknown(cause);
      onError({ error, path, req });
      return { error: getTRPCErrorShape({ config, error, type: kind, path, input, ctx }) };
    };
    // A query that waits in the gate is dropped when the caller leaves; all other calls run to their end.
    const signal = kind === 'query' ? goneSignal(res) : undefined;
    const call = async (path: string, batchIndex: number): Promise<Result> => {
      const input: unknown = inputs[batchIndex as keyof typeof inputs];
      try {
        if (ctx === undefined) throw refused;
        const getRawInput = async () => input;
        const call = { router, path, type: kind, ctx, getRawInput, signal, batchIndex };
        return { result: { data: await callTRPCProcedure(call) } };
      } catch (cause) {
        return failed(cause, path, input);
      }
    };

    // A serialiser of its own keeps Fastify from adding a charset, which the adapter's answers do not have.
    res.serializer(asItIs);
    const results = await Promise.all(paths.map(call));
    res.headers({
      vary: 'trpc-accept, accept',
      'content-type': 'application/json',
      ...responseMeta({ paths }).headers,
    });
    try {
      const all = batched ? results : results[0];
      if (isLong(all)) {
        res.code(statusOf(results));
        return withErrorListener(Readable.from(jsonPieces(all), { objectMode: false }));
      }
      const text = JSON.stringify(all);
      if (results.some((result) => 'error' in result)) res.code(statusOf(results));
      return text;
    } catch (cause) {
      const result = failed(cause, undefined, undefined);
      res.code(statusOf([result]));
      return JSON.stringify(result);
    }
  }

  return (req, res) => {
    const calls = readCalls(req, kinds, options.maxBatchSize);
    return calls && answer(calls, req, res);
  };
}

function kindsOf(router: AnyRouter): ReadonlyMap<string, Kind> {
  const procedures: Readonly<Record<string, { _def: { type: string } }>> = router._def.procedures;
  const kinds = new Map<string, Kind>();
  for (const [path, { _def }] of Object.entries(procedures)) {
    if (_def.type === 'query' || _def.type === 'mutation') kinds.set(path, _def.type);
  }
  return kinds;
}

/** @returns undefined unless all are known procedures, called by the right method, with an input that can be read */
function readCalls(
  { method, url, headers, body }: FastifyRequest,
  kinds: ReadonlyMap<string, Kind>,
  maxBatchSize: number,
): Calls | undefined {
  const plain = plainPathsOf(url);
  if (plain === undefined || !asksForJson(headers)) return undefined;
  const query = new URLSearchParams(plain.query);
  if (query.has('connectionParams')) return undefined;
  const batched = query.get('batch') === '1';
  const paths = batched ? plain.paths.split(',') : [plain.paths];
  const [first = ''] = paths;
  const kind = kinds.get(first);
  // A query whose input is too long for a URL is posted.
  if (method !== 'POST' && !(method === 'GET' && kind === 'query')) return undefined;
  if (kind === undefined || !paths.every((path) => kinds.get(path) === kind)) return undefined;
  if (paths.length > maxBatchSize) return undefined;
  const input = method === 'GET' ? parsed(query.get('input') || undefined, true) : parsed(body);
  if (input === UNREADABLE) return undefined;
  if (!batched) return { batched, kind, paths, inputs: [input] };
  if (input === undefined) return { batched, kind, paths, inputs: [] };
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject ? { batched, kind, paths, inputs: input } : undefined;
}

/** Returns whether the request accepts JSON that is not a stream, and its body is JSON, if it has one. */
function asksForJson(headers: FastifyRequest['headers']): boolean {
  return (
    headers['trpc-accept'] === undefined &&
    headers.accept?.includes('jsonl') !== true &&
    headers['content-type']?.startsWith('application/json') !== false
  );
}

function asItIs(text: string): string {
  return text;
}

const UNREADABLE = Symbol('unreadable');

function parsed(text: unknown, isOptional = false): unknown {
  if (text === undefined && isOptional) return undefined;
  if (typeof text !== 'string') return UNREADABLE;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return UNREADABLE;
  }
}

/** The common status of all results; 207 where they differ. */
function statusOf(results: readonly Result[]): number {
  return getHTTPStatusCode(results as Parameters<typeof getHTTPStatusCode>[0]);
}
