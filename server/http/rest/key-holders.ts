import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import type { Actor } from '../../access/actor.ts';
import { noteApiKeyUse, readApiKeyActor } from '../../access/api-keys.ts';
import { hashToken } from '../../adapters/auth/tokens.ts';
import { networkOf } from '../../adapters/network/network-of.ts';
import type { Services } from '../../kernel/context.ts';
import { describeError } from '../../kernel/database-errors.ts';
import { CallLimiter, type CallLimits } from '../call-limits.ts';

const BEARER = /^Bearer +(\S+) *$/i;
const USE_NOTED_EVERY_MS = 60_000;
/** A key that was refused is not looked up again for this time, so that a program that goes on with it costs nothing. */
const REFUSED_FOR_MS = 10_000;
/** Hashes of keys that are remembered; there cannot be as many valid ones. */
const REMEMBERED_MAX = 10_000;

/** The administrator behind a key, narrowed to it, and the key. */
export type KeyHolder = { actor: Actor; key: string };

/**
 * Creates the function that finds out who calls the API, and counts the call: against the key's limit if it was valid at its
 * last use, otherwise against the network's, because only those can be guesses.
 */
export function createKeyHolders(services: Services, limits: CallLimits) {
  const byKey = new CallLimiter(limits.person);
  const byNetwork = new CallLimiter(limits.anonymous);
  /** Ids of the keys that were valid at their last use, by hash. */
  const known = new Map<string, string>();
  /** When the keys that were refused may be looked up again, by hash. */
  const refused = new Map<string, number>();
  const notedAt = new Map<string, number>();

  function countByKey(keyId: string, reply: FastifyReply): void {
    const wait = byKey.take(keyId, 1);
    const { left, fullInSeconds } = byKey.remaining(keyId);
    const { burst, perSecond } = limits.person;
    // draft-ietf-httpapi-ratelimit-headers-10: calls that may be made at once, and when they are all there again.
    reply.header('ratelimit-policy', `"calls";q=${burst};w=${Math.ceil(burst / perSecond)}`);
    reply.header('ratelimit', `"calls";r=${left};t=${fullInSeconds}`);
    if (wait > 0) throw rateLimited(wait);
  }

  /** @throws AppError `rate_limited` */
  function countByNetwork(request: FastifyRequest): string {
    const network = networkOf(services.clientOf(request.raw).address);
    const wait = byNetwork.take(network, 1);
    if (wait > 0) throw rateLimited(wait);
    return network;
  }

  /** Without waiting, and about once a minute: a call does not fail because its use cannot be stored. */
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

  return {
    countByNetwork,
    /** @throws AppError `unauthenticated`, or `rate_limited` */
    async find(request: FastifyRequest, reply: FastifyReply): Promise<KeyHolder> {
      const [, key = ''] = BEARER.exec(request.headers.authorization ?? '') ?? [];
      const hash = hashToken(key);
      if ((refused.get(hash) ?? 0) > performance.now()) throw unauthenticated();
      const keyId = known.get(hash);
      const network = keyId === undefined ? countByNetwork(request) : undefined;
      if (keyId !== undefined) countByKey(keyId, reply);
      const actor = await readApiKeyActor(services.db, key, services.clock.now());
      if (actor?.apiKeyId === undefined) {
        known.delete(hash);
        remember(refused, hash, performance.now() + REFUSED_FOR_MS);
        throw unauthenticated();
      }
      if (network !== undefined) {
        byNetwork.giveBack(network, 1);
        remember(known, hash, actor.apiKeyId);
        countByKey(actor.apiKeyId, reply);
      }
      noteUse(actor.apiKeyId, request);
      return { actor, key };
    },
  };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size >= REMEMBERED_MAX) map.clear();
  map.set(key, value);
}

function unauthenticated(): AppError {
  return new AppError('unauthenticated', { message: 'The key is missing, unknown, revoked or expired.' });
}

function rateLimited(seconds: number): AppError {
  return new AppError('rate_limited', { data: { retryAfterSeconds: Math.max(1, seconds) } });
}
