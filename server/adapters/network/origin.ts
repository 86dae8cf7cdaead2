/** Where people reach Lintel, as the operator has set it; undefined where it is not set. */
export type PublicAddress = { publicUrl?: string | undefined };

/** Is Lintel reached over https? Then a proxy in front ends it, and cookies may be bound to it. */
export function isSecure(env: PublicAddress): boolean {
  return env.publicUrl?.startsWith('https:') === true;
}

/**
 * Does this `Origin` header name the pages that we serve ourselves? Scheme included.
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
  // Plain http on this machine or by number. A name could be anybody's that points here for a moment (DNS rebinding).
  return /^(localhost|\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:]+\])(:\d+)?$/i.test(host);
}
