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
])('%j has the address %s', (claims, email) => {
  expect(personOf({ sub: 'x', ...claims }, CLAIM).email).toBe(email);
});

test('an address counts without the claim where the organisation says so', () => {
  expect(personOf({ sub: 'x', email: 'ada@example.com' }, { emailVerified: 'always' }).email).toBe(
    'ada@example.com',
  );
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
