/** Returns whether this browser supports passkeys, and the page's host is a name: passkeys do not work for IP addresses. */
export function canUsePasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(window.location.hostname);
  return typeof window.PublicKeyCredential === 'function' && !isAddress;
}
