import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { plainAddress } from './network-of.ts';
import { isSecure, type PublicAddress } from './origin.ts';

/** What is known of the machine that sent a request. */
export type Client = {
  /** The caller's own, where the proxies in front are believed. */
  address: string;
  userAgent: string;
};

/** HTTP and the live sockets ask the same one, so that nobody is two networks. */
export type ClientOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Client;

/** Browsers say less; what is longer would be stored with each session and notice. */
const USER_AGENT_MAX = 400;

/** Usual ranges by a word. */
const RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
export const RANGE_WORDS: readonly string[] = Object.keys(RANGES);

/** Believes proxies on this machine where they end https, and those that the operator names, about addresses. */
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

/** By version: in one list a range of IPv6 that begins with zeros would hold every address of IPv4. */
type Trusted = Record<4 | 6, BlockList>;

function addRange(trusted: Trusted, range: string): void {
  const [written = '', bits] = range.split('/');
  const address = plainAddress(written);
  const version = isIP(address) === 4 ? 4 : 6;
  const all = version === 4 ? 32 : 128;
  // An IPv4 range may be written as a part of IPv6's: its first 96 bits are then those of all of them.
  const more = version === 4 && isIP(written) === 6 ? 96 : 0;
  const prefix = bits === undefined ? all : Number(bits) - more;
  trusted[version].addSubnet(address, prefix, `ipv${version}`);
}

/**
 * Each proxy adds the address that it was called from at the end: from there back as far as they are believed. What is
 * no address ends the list, because the proxy that passed it on knows no better.
 */
function addressOf(remote: string, forwarded: string | string[] | undefined, trusted: Trusted): string {
  let address = plainAddress(remote);
  const named = forwarded === undefined ? [] : String(forwarded).split(',');
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

/** Some proxies add the port, which is another one for each connection. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const [, dotted] = /^(\d+(?:\.\d+){3}):\d+$/.exec(text) ?? [];
  return bracketed ?? dotted ?? text;
}
