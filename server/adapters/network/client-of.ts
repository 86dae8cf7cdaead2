import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { plainAddress } from './network-of.ts';
import { isSecure, type PublicAddress } from './origin.ts';

/** The machine that sent a request. */
export type Client = {
  /** The caller's own address if the proxies in front are trusted, else the nearest proxy's. */
  address: string;
  userAgent: string;
};

/** Shared by HTTP and the live sockets, so that a caller counts as the same network on both. */
export type ClientOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Client;

/** Longer than any browser's. A limit, because the text is stored with each session and notice, and can be forged. */
const USER_AGENT_MAX = 400;

/** Address ranges that have a name. */
const RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
export const RANGE_WORDS: readonly string[] = Object.keys(RANGES);

/**
 * Builds the function that finds the client address. Trusts proxies named by the operator, and proxies on this machine
 * if they terminate https.
 */
export function createClientOf(env: PublicAddress & { trustedProxies: readonly string[] }): ClientOf {
  const trusted: Trusted = { 4: new BlockList(), 6: new BlockList() };
  for (const name of [...(isSecure(env) ? ['loopback'] : []), ...env.trustedProxies]) {
    for (const range of RANGES[name] ?? [name]) addRange(trusted, range);
  }
  return ({ headers, socket }) => ({
    address: addressOf(socket.remoteAddress ?? '', headers['x-forwarded-for'], trusted),
    userAgent: (headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX),
  });
}

/**
 * Separate lists by IP version: in a common one an IPv6 range that begins with zeros would contain every IPv4 address.
 */
type Trusted = Record<4 | 6, BlockList>;

function addRange(trusted: Trusted, range: string): void {
  const [written = '', bits] = range.split('/');
  const address = plainAddress(written);
  const version = isIP(address) === 4 ? 4 : 6;
  const all = version === 4 ? 32 : 128;
  // An IPv4 range may be written as IPv4-mapped IPv6, whose first 96 bits are the same for all.
  const more = version === 4 && isIP(written) === 6 ? 96 : 0;
  const prefix = bits === undefined ? all : Number(bits) - more;
  trusted[version].addSubnet(address, prefix, `ipv${version}`);
}

/**
 * Walks `X-Forwarded-For` from its end as long as the address is a trusted proxy: each proxy appends the address that
 * called it. An entry that is no address ends the walk.
 */
function addressOf(remote: string, forwarded: string | string[] | undefined, trusted: Trusted): string {
  let address = plainAddress(remote);
  if (forwarded === undefined) return address;
  const named = String(forwarded).split(',');
  while (isIn(trusted, address)) {
    const next = withoutPort((named.pop() ?? '').trim());
    if (isIP(next) === 0) break;
    address = plainAddress(next);
  }
  return address;
}

function isIn(trusted: Trusted, address: string): boolean {
  const version = isIP(address);
  return (version === 4 || version === 6) && trusted[version].check(address, `ipv${version}`);
}

/** Strips the port that some proxies add, which differs for each connection. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const [, dotted] = /^(\d+(?:\.\d+){3}):\d+$/.exec(text) ?? [];
  return bracketed ?? dotted ?? text;
}
