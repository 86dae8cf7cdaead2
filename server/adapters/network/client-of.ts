import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type AddressList, createAddressList } from './address-list.ts';
import { plainAddress } from './network-of.ts';
import { isSecure, type PublicAddress } from './origin.ts';

/** The client that sent a request. */
export type Client = {
  /** The caller's own address if the proxies in front are trusted, else the nearest proxy's. */
  address: string;
  userAgent: string;
};

/** Shared by HTTP and the live sockets, so that a caller counts as the same network on both. */
export type ClientOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Client;

/** Longer than any browser's. A limit, because the text is stored with each session and notice, and can be forged. */
const USER_AGENT_MAX = 400;

/**
 * Builds the function that finds the client address. Trusts proxies named by the operator, and proxies on this machine
 * if they terminate https.
 */
export function createClientOf(env: PublicAddress & { trustedProxies: readonly string[] }): ClientOf {
  const trusted = createAddressList([...(isSecure(env) ? ['loopback'] : []), ...env.trustedProxies]);
  return ({ headers, socket }) => ({
    address: addressOf(socket.remoteAddress ?? '', headers['x-forwarded-for'], trusted),
    userAgent: (headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX),
  });
}

/**
 * Walks `X-Forwarded-For` from its end as long as the address is a trusted proxy: each proxy appends the address that
 * called it. An entry that is no address ends the walk.
 */
function addressOf(remote: string, forwarded: string | string[] | undefined, trusted: AddressList): string {
  let address = plainAddress(remote);
  if (forwarded === undefined) return address;
  const named = String(forwarded).split(',');
  while (trusted.has(address)) {
    const next = withoutPort((named.pop() ?? '').trim());
    if (isIP(next) === 0) break;
    address = plainAddress(next);
  }
  return address;
}

/** Strips the port that some proxies add, which differs for each connection. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const [, dotted] = /^(\d+(?:\.\d+){3}):\d+$/.exec(text) ?? [];
  return bracketed ?? dotted ?? text;
}
