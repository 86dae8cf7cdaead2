import { Secret, TOTP } from 'otpauth';

/** The time in which a code of an authenticator app is valid. */
export const TOTP_STEP_MS = 30_000;

/**
 * The code that an authenticator app shows.
 * @param secret base32
 */
export function codeOf(secret: string, at: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
}
