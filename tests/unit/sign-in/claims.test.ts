import { expect, test } from 'vitest';
import { buildingCodesOf, personOf, roleOf } from '#server/features/session/provider-claims.ts';

const CLAIM = { emailVerified: 'claim' } as const;

test.each([
  [{ email: 'Ada@Example.com', email_verified: true }, 'ada@example.com'],
  [{ email: 'ada@example.com', email_verified: 'true' }, 'ada@example.com'],
  [{ email: 'ada@example.com' }, undefined],
  [{ email: 'ada@example.com', email_verified: 'false' }, undefined],
  [{ email: 'ada@example.com', email_verified: 1 }, undefined],
  [{ email: ['ada@example.com'], email_verified: true }, undefined],
  [{ email: ' ', email_verified: true }, undefined],
  // The Kelvin sign, whose small letter is k.
  [{ email: '\u212aim@example.com', email_verified: true }, undefined],
])('%j has the address %s', (claims, email) => {
  expect(personOf({ sub: 'x', ...claims }, CLAIM).email).toBe(email);
});

test('an address counts without the claim where the organisation says so', () => {
  const always = { emailVerified: 'always' } as const;
  const claims = { sub: 'x', email: 'ada@example.com' };
  expect(personOf(claims, always).email).toBe('ada@example.com');
  expect(personOf({ ...claims, email_verified: false }, always).email).toBeUndefined();
});

test.each([
  [{ given_name: 'Ada', family_name: 'Lovelace', name: 'x' }, ['Ada', 'Lovelace']],
  [{ name: 'Ada King Lovelace' }, ['Ada King', 'Lovelace']],
  [{ name: 'Ada' }, ['Ada', '–']],
  [{ email: 'ada.l@example.com' }, ['ada.l', '–']],
])('%j has the names %j', (claims, names) => {
  const { firstName, lastName } = personOf(claims, CLAIM);
  expect([firstName, lastName]).toEqual(names);
});

const roles = { claim: 'groups', values: { a: 'admin', o: 'operative' } } as const;
test.each([
  [{ groups: ['o', 'a'] }, 'admin'],
  [{ groups: 'o' }, 'operative'],
  [{ groups: ['x'] }, null],
  [{ groups: ['constructor', '__proto__'] }, null],
  [{ groups: [7, null, {}] }, null],
  [{}, null],
])('%j gives the role %s', (claims, role) => {
  expect(roleOf(claims, { roles: { ...roles, values: { ...roles.values } } })).toBe(role);
});

test('a dotted name leads into objects, unless a claim has it', () => {
  const nested = { claim: 'realm_access.roles', values: { a: 'admin' as const } };
  expect(roleOf({ realm_access: { roles: ['a'] } }, { roles: nested })).toBe('admin');
  expect(roleOf({ 'realm_access.roles': ['a'] }, { roles: nested })).toBe('admin');
  expect(roleOf({ realm_access: 'a' }, { roles: nested })).toBeNull();
});

test('without settings the provider decides nothing', () => {
  expect(roleOf({ groups: ['a'] }, { roles: undefined })).toBeUndefined();
  expect(buildingCodesOf({ sites: ['HAR'] }, { locations: undefined })).toBeUndefined();
});

test('buildings are codes, or what a value stands for', () => {
  const claims = { sites: ['north', 'HAR', 'toString'] };
  expect(buildingCodesOf(claims, { locations: { claim: 'sites' } })).toEqual(['north', 'HAR', 'toString']);
  const values = { north: ['HAR', 'QUA'] };
  expect(buildingCodesOf(claims, { locations: { claim: 'sites', values } })).toEqual(['HAR', 'QUA']);
  expect(buildingCodesOf({}, { locations: { claim: 'sites', values } })).toEqual([]);
});

test('addresses count in the domains of the provider', () => {
  const settings = { ...CLAIM, emailDomains: ['harbour.example'] };
  const of = (email: string) => personOf({ sub: 'x', email, email_verified: true }, settings).email;
  expect(of('ada@HARBOUR.example')).toBe('ada@harbour.example');
  expect(of('ada@evil.example')).toBeUndefined();
  expect(of('ada@harbour.example.evil.example')).toBeUndefined();
});

test('subjects are compared as they are', () => {
  expect(personOf({ sub: ' e\u0301 ' }, CLAIM).subject).toBe(' e\u0301 ');
});
