import { BlockList, isIP } from 'node:net';
import { plainAddress } from './network-of.ts';

/** Address ranges that have a name. */
const RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
export const RANGE_WORDS: readonly string[] = Object.keys(RANGES);

/** A list of addresses that an operator gave. */
export type AddressList = { has(address: string): boolean };

/** @param ranges addresses, CIDR ranges, and words for ranges (`RANGE_WORDS`) */
export function createAddressList(ranges: readonly string[]): AddressList {
  // By IP version: in a common list an IPv6 range that begins with zeros would contain every IPv4 address.
  const lists = { 4: new BlockList(), 6: new BlockList() };

  function add(range: string): void {
    const [written = '', bits] = range.split('/');
    const address = plainAddress(written);
    const version = isIP(address) === 4 ? 4 : 6;
    const all = version === 4 ? 32 : 128;
    // An IPv4 range may be written as IPv4-mapped IPv6, whose first 96 bits are the same for all.
    const more = version === 4 && isIP(written) === 6 ? 96 : 0;
    const prefix = bits === undefined ? all : Number(bits) - more;
    lists[version].addSubnet(address, prefix, `ipv${version}`);
  }

  for (const name of ranges) for (const range of RANGES[name] ?? [name]) add(range);
  return {
    has(address) {
      const version = isIP(address);
      return (version === 4 || version === 6) && lists[version].check(address, `ipv${version}`);
    },
  };
}
