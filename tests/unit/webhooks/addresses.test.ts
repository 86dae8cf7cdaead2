import { describe, expect, test } from 'vitest';
import { createAddressList } from '#server/adapters/network/address-list.ts';
import {
  checkedLookup,
  ForbiddenAddressError,
  isForbiddenHost,
  isPublicAddress,
} from '#server/adapters/network/public-address.ts';

test.each(['93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001:80f::200e'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.8.9.10',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.170',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

describe('what an operator allows', () => {
  const allowed = createAddressList(['10.0.5.0/24', 'fd00::/8']);

  test.each([
    'https://10.0.5.20/',
    'http://10.0.5.20:8080/',
    'http://[fd00::1]/',
    'https://[::ffff:10.0.5.1]/',
  ])('%s is reached', (url) => {
    expect(isForbiddenHost(new URL(url), allowed)).toBe(false);
  });

  test.each([
    'https://10.0.6.1/',
    'http://1.1.1.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://2130706433/',
  ])('%s is not', (url) => {
    expect(isForbiddenHost(new URL(url), allowed)).toBe(true);
  });
});

describe('a lookup', () => {
  const found = (options: { all: boolean }, allowed = createAddressList([]), protocol = 'https:') =>
    new Promise<unknown>((resolve) => {
      checkedLookup({ protocol, allowed })('localhost', options, (error, address) =>
        resolve(error ?? address),
      );
    });

  test.each([{ all: true }, { all: false }])('of a private name fails (%o)', async (options) => {
    expect(await found(options)).toBeInstanceOf(ForbiddenAddressError);
  });

  test('of an allowed name gives what was asked for', async () => {
    const loopback = createAddressList(['loopback']);
    expect(await found({ all: false }, loopback)).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect(await found({ all: true }, loopback, 'http:')).toEqual(
      expect.arrayContaining([expect.objectContaining({ address: expect.any(String) })]),
    );
  });
});
