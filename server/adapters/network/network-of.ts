import { isIPv6 } from 'node:net';

/**
 * The key by which limits are counted: an IPv4 address, or the /64 of an IPv6 address, which is the network of a household or
 * office (RFC 6177 gives a site no less). IPv4-mapped addresses count as IPv4.
 * @param address as a socket or a proxy reports it; a text that is no address is returned unchanged
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 4).join(':')}::/64` : plain;
}

/** Normalises an IP address and removes its zone; other texts are returned unchanged. */
export function plainAddress(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  const [high, low] = groups.slice(6);
  if (high !== undefined && low !== undefined && groups.slice(0, 6).join() === '0,0,0,0,0,ffff') {
    return [high, low].flatMap(bytesOf).join('.');
  }
  return new URL(`http://[${plain}]`).hostname.slice(1, -1);
}

/** The eight groups of an IPv6 address in normal form. */
function groupsOf(address: string): string[] {
  // The URL parser writes an address in lower case, without leading zeros, and an embedded IPv4 part in hex.
  const { hostname } = new URL(`http://[${address}]`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const [before, after] = [split(head), split(tail ?? '')];
  const between = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...between, ...after];
}

function split(groups: string): string[] {
  return groups === '' ? [] : groups.split(':');
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
}
