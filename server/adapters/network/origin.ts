/** The address under which people reach Lintel; undefined if the operator has not set it. */
export type PublicAddress = { publicUrl?: string | undefined };

/** Returns whether Lintel is reached over https, terminated by a proxy. Cookies are then Secure. */
export function isSecure(env: PublicAddress): boolean {
  return env.publicUrl?.startsWith('https:') === true;
}

/**
 * Returns whether an `Origin` header names the server's own pages, including the scheme.
 * @param host the `Host` header of the same request
 */
export function isOwnOrigin(
  env: PublicAddress,
  origin: string | undefined,
  host: string | undefined,
): boolean {
  if (origin === undefined) return false;
  if (origin === env.publicUrl) return true;
  if (isSecure(env) || host === undefined || origin !== `http://${host.toLowerCase()}`) return false;
  // Plain http is accepted only for localhost and IP addresses: a name could be an attacker's that resolves here for a
  // moment (DNS rebinding).
  return /^(localhost|\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:]+\])(:\d+)?$/i.test(host);
}
