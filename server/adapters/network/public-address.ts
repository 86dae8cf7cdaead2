import { lookup as lookUpName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AddressList } from './address-list.ts';
import { plainAddress } from './network-of.ts';

/** A connection was refused before it was made, because of its address. */
export class ForbiddenAddressError extends Error {
  override name = 'ForbiddenAddressError';
}

/** The allowed destinations: public addresses over https, and the addresses in `allowed` also over plain http. */
export type Destinations = { protocol: string; allowed: AddressList };

/**
 * Returns whether an address is on the public internet: not private, loopback, link-local (cloud metadata), multicast, reserved,
 * or an IPv6 form that leads to an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  // 2000::/3 is the only assigned block of IPv6 (RFC 4291, 2.4); the library counts all unknown addresses as unicast.
  const isGivenOut = parsed instanceof ipaddr.IPv4 || ((parsed.parts[0] ?? 0) & 0xe000) === 0x2000;
  return isGivenOut && parsed.range() === 'unicast';
}

/** Returns whether the host of a URL is an IP address, not a name, and nothing may be sent to it. */
export function isForbiddenHost({ hostname, protocol }: URL, allowed: AddressList): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !mayReach(host, { protocol, allowed });
}

/**
 * A `lookup` for `http.request` that refuses names which lead to forbidden addresses. The connection is made to exactly the
 * addresses that were checked, so an attack with a name that resolves differently the next time fails (DNS rebinding).
 */
export function checkedLookup(destinations: Destinations): LookupFunction {
  return (hostname, options, done) => {
    lookUpName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '', 0);
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => !mayReach(address, destinations))) {
        return done(new ForbiddenAddressError(`${hostname} leads to a forbidden address`), '', 0);
      }
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

function mayReach(address: string, { protocol, allowed }: Destinations): boolean {
  return (protocol === 'https:' && isPublicAddress(address)) || allowed.has(plainAddress(address));
}
