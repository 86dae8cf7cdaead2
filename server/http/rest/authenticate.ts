import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import type { Actor } from '../../access/actor.ts';
import { noteApiKeyUse, readApiKeyActor } from '../../access/api-keys.ts';
import { hashToken } from '../../adapters/auth/tokens.ts';
import { networkOf } from '../../adapters/network/network-of.ts';
import type { Recalled, Services } from '../../kernel/context.ts';
import { describeError } from '../../kernel/database-errors.ts';
import { bearerOf } from '../bearer.ts';
import { bytesOf } from '../body-size.ts';
import { CALL_LIMITS, type CallLimit, CallLimiter, type CallLimits } from '../call-limits.ts';

const USE_NOTED_EVERY_MS = 60_000;
/** A refused key is not looked up again for this time, so that a program that continues to send it causes no queries. */
const REFUSED_FOR_MS = 10_000;
/** How many hashes of keys are cached; there cannot be as many valid keys. */
const REMEMBERED_MAX = 10_000;

/** The caller: the administrator behind the key, narrowed to the key's permissions and buildings, and the key. */
export type Caller = {
  actor: Actor;
  key: string;
  /** Reads the actor from the database; undefined if the key is now refused. */
  reread(): Promise<Actor | undefined>;
  /** Present if the actor comes from memory: the queries and commands of the call verify the actor. */
  recalled?: Recalled;
};

/** A call to count. `hasFile`: its body is a file. */
type Call = { request: FastifyRequest; reply: FastifyReply; hasFile: boolean };

/**
 * Creates the function that identifies the caller of the API and counts the call: against the limits of the key if the key was
 * valid at its last use, otherwise against the limit of the network, because only unknown keys can be guesses.
 */
export function createAuthentication(services: Services, limits: CallLimits) {
  const { person, bytes: sent = CALL_LIMITS.bytes } = limits;
  const byKey = new CallLimiter(person);
  const bytesByKey = new CallLimiter(sent);
  const windowOf = ({ burst, perSecond }: CallLimit) => `q=${burst};w=${Math.ceil(burst / perSecond)}`;
  const policies = `"calls";${windowOf(person)}, "bytes";${windowOf(sent)};qu="content-bytes"`;
  const byNetwork = new CallLimiter(limits.anonymous);
  /** The callers with keys that were valid at their last use, by hash. */
  const known = new Map<string, Actor>();
  /** When the keys that were refused may be looked up again, by hash. */
  const refused = new Map<string, number>();
  const notedAt = new Map<string, number>();

  function countByKey(keyId: string, { request, reply, hasFile }: Call): void {
    // A file has the limits of uploads.
    const wait = byKey.take(keyId, 1) || (hasFile ? 0 : bytesByKey.take(keyId, bytesOf(request)));
    const calls = byKey.remaining(keyId);
    const bytes = bytesByKey.remaining(keyId);
    // draft-ietf-httpapi-ratelimit-headers-10: the calls and bytes that may be used at once, and the time until all are available
    // again.
    reply.header('ratelimit-policy', policies);
    reply.header(
      'ratelimit',
      `"calls";r=${calls.left};t=${calls.fullInSeconds}, "bytes";r=${bytes.left};t=${bytes.fullInSeconds}`,
    );
    if (wait > 0) throw rateLimited(wait);
  }

  /** @throws AppError `rate_limited` */
  function countByNetwork(request: FastifyRequest): string {
    const network = networkOf(services.clientOf(request.raw).address);
    const wait = byNetwork.take(network, 1);
    if (wait > 0) throw rateLimited(wait);
    return network;
  }

  /**
   * Records the use of a key about once a minute, without waiting: a call does not fail because its use cannot be stored.
   */
  function noteUse(keyId: string, request: FastifyRequest): void {
    const now = performance.now();
    if (now - (notedAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < USE_NOTED_EVERY_MS) return;
    remember(notedAt, keyId, now);
    const { address } = services.clientOf(request.raw);
    noteApiKeyUse(services.db, { keyId, address, usedAt: services.clock.now().toISOString() }).catch(
      (error: unknown) =>
        services.log.warn({ causes: describeError(error) }, 'the use of an API key could not be noted'),
    );
  }

  /** Reads the caller of a key, and caches the answer. */
  async function readCaller(key: string, hash: string): Promise<Actor | undefined> {
    const actor = await readApiKeyActor(services.db, key, services.clock.now());
    if (actor === undefined) {
      known.delete(hash);
      remember(refused, hash, performance.now() + REFUSED_FOR_MS);
    } else remember(known, hash, actor);
    return actor;
  }

  return {
    countByNetwork,
    /** @throws AppError `unauthenticated`, or `rate_limited` */
    async authenticate(call: Call): Promise<Caller> {
      const { request } = call;
      const key = bearerOf(request) ?? '';
      const hash = hashToken(key);
      if ((refused.get(hash) ?? 0) > performance.now()) throw new AppError('unauthenticated');
      const validate = () => readCaller(key, hash);
      const remembered = known.get(hash);
      if (remembered?.apiKey !== undefined) {
        countByKey(remembered.apiKey.id, call);
        noteUse(remembered.apiKey.id, request);
        const recalled = { tokenHash: hash, credential: 'apiKey', validate } as const;
        return { actor: remembered, key, reread: validate, recalled };
      }
      const network = countByNetwork(request);
      const actor = await validate();
      if (actor?.apiKey === undefined) throw new AppError('unauthenticated');
      byNetwork.giveBack(network, 1);
      countByKey(actor.apiKey.id, call);
      noteUse(actor.apiKey.id, request);
      return { actor, key, reread: validate };
    },
  };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size >= REMEMBERED_MAX) map.clear();
  map.set(key, value);
}

function rateLimited(seconds: number): AppError {
  return new AppError('rate_limited', { data: { retryAfterSeconds: Math.max(1, seconds) } });
}
