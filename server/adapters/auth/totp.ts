import { Secret, TOTP } from 'otpauth';

/** Bytes of a secret: as many as the hash has (RFC 4226, section 4, R6). */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Time steps before and after the present one whose codes are accepted (RFC 6238, section 5.2). */
const WINDOW = 1;

/** Makes the secret of an authenticator app, in base32. */
export function createTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address that an authenticator app reads from a QR code. */
export function totpAddress(
  secret: string,
  { issuer, account }: { issuer: string; account: string },
): string {
  return totpOf(secret, { issuer, label: account }).toString();
}

/**
 * Matches a code of six digits (RFC 6238).
 * @returns the time step of the code; undefined if it is not one of the present codes
 */
export function matchTotp(secret: string, code: string, at: Date): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: at.getTime(), window: WINDOW });
  return delta === null ? undefined : Math.floor(at.getTime() / 1_000 / PERIOD_SECONDS) + delta;
}

// SHA-1, because most apps ignore another algorithm and compute wrong codes.
function totpOf(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({
    ...names,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}
