import { BlockList, isIP } from 'node:net';
import { plainAddress } from './network-of.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Returns whether a name or address leads only to this machine, in any spelling that browsers and systems accept: 127.1,
 * 0x7f000001, ::ffff:127.0.0.1, and names that end in "localhost" (RFC 6761).
 * @param host as in HOST, or as in a URL, with brackets around IPv6
 */
export function isLoopback(host: string): boolean {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}`;
  if (!URL.canParse(url)) return false;
  const name = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const address = plainAddress(name);
  const version = isIP(address);
  if (version === 0) return /(^|\.)localhost$/.test(name);
  return LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Returns whether other machines can reach a server with these settings, directly or through a proxy. */
export function isReachable({ host, publicUrl }: { host: string; publicUrl?: string | undefined }): boolean {
  return !isLoopback(host) || (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname));
}
