import { expect, test } from 'vitest';
import { creationOptions, relyingPartyOf, verifyCreation } from '#server/adapters/auth/passkeys.ts';
import { createAuthenticator } from '#tests/support/sign-in/passkey-authenticator.ts';

const ORIGIN = 'https://lintel.example.com';
const PARTY = { id: 'lintel.example.com', origin: ORIGIN };
const USER = { id: 'u1', email: 'ada@example.com', fullName: 'Ada Smith' };

test.each([
  ['https://lintel.example.com', 'lintel.example.com'],
  ['https://lintel.example.com:8443', 'lintel.example.com'],
  ['http://localhost:3000', 'localhost'],
  ['http://192.0.2.7:3000', undefined],
  ['http://[::1]:3000', undefined],
  ['null', undefined],
  [undefined, undefined],
])('the relying party of %s is %s', (origin, id) => {
  expect(relyingPartyOf(origin)?.id).toBe(id);
});

// To verify a certificate, the library would fetch lists of revoked certificates from addresses in the certificate.
test('an attestation with a certificate is refused before it is looked at, and one of the passkey itself is accepted', async () => {
  const { challenge, rp } = await creationOptions(PARTY, { user: USER, name: 'Lintel', exclude: [] });
  const authenticator = createAuthenticator(ORIGIN);
  const withCertificate = authenticator.create({ challenge, rp }, { attestation: 'certificate' });
  await expect(verifyCreation(PARTY, challenge, withCertificate)).rejects.toThrow('was not asked for');
  const own = authenticator.create({ challenge, rp }, { attestation: 'self' });
  expect(await verifyCreation(PARTY, challenge, own)).toMatchObject({
    credentialId: authenticator.credentialId,
  });
});
