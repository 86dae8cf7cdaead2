import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSignInFile, SIGN_IN_DEFAULTS } from '#server/kernel/sign-in/sign-in-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-sign-in-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'sign-in.json');
function read(content: unknown) {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readSignInFile(path);
}

const provider = {
  id: 'harbour',
  name: 'Harbour Group',
  issuer: 'https://id.harbour.example/tenant',
  clientId: 'lintel',
  clientSecret: 'top secret',
};

test('without a file, with an empty one, and with a provider', () => {
  expect(readSignInFile(undefined)).toEqual(SIGN_IN_DEFAULTS);
  expect(read({})).toEqual(SIGN_IN_DEFAULTS);
  const defaults = {
    scopes: ['openid', 'email', 'profile'],
    emailVerified: 'claim',
    reauthentication: 'auth_time',
  };
  expect(read({ providers: [provider] }).providers).toEqual([{ ...provider, ...defaults }]);
  read({ passwords: 'emergency', emergencyEmail: 'ada@example.com', providers: [provider] });
  expect(read({ secondFactor: ['admin'] })).toEqual({ ...SIGN_IN_DEFAULTS, secondFactor: ['admin'] });
});

test.each([
  ['two of one id', { providers: [provider, provider] }, 'two providers have the same id'],
  [
    'plain http',
    { providers: [{ ...provider, issuer: 'http://id.harbour.example' }] },
    'must be an https address',
  ],
  [
    'a query',
    { providers: [{ ...provider, issuer: 'https://id.harbour.example/?x' }] },
    'must be an https address',
  ],
  [
    'the address of its metadata',
    { providers: [{ ...provider, issuer: 'https://id.harbour.example/.well-known/openid-configuration' }] },
    'must be an https address',
  ],
  ['an id with a slash', { providers: [{ ...provider, id: 'a/b' }] }, 'providers.0.id: must consist of'],
  ['a misspelt setting', { providers: [{ ...provider, clientSecrets: 'x' }] }, 'clientSecrets'],
  [
    'a role that is none',
    { providers: [{ ...provider, roles: { claim: 'g', values: { a: 'boss' } } }] },
    'roles.values.a',
  ],
  [
    'administrators whom nobody has invited',
    { providers: [{ ...provider, newPeople: { role: 'admin' } }] },
    'newPeople.role',
  ],
  [
    'no way in',
    { passwords: 'emergency', emergencyEmail: 'ada@example.com' },
    'passwords cannot be switched off',
  ],
  ['nobody for emergencies', { passwords: 'emergency', providers: [provider] }, 'emergencyEmail: is needed'],
  ['no JSON', '{"clientSecret": "top secret",', 'is not valid JSON.'],
])('refuses %s, and quotes no secret', (_what, content, sentence) => {
  const attempt = () => read(content);
  expect(attempt).toThrow(sentence);
  expect(attempt).not.toThrow('top secret');
});

test('plain http is accepted on this machine', () => {
  expect(read({ providers: [{ ...provider, issuer: 'http://127.0.0.1:9000' }] }).providers).toHaveLength(1);
});
