/** Whether passkeys can be used in this browser, and at this address: they are for host names, not for IP addresses. */
export function canUsePasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(window.location.hostname);
  return typeof window.PublicKeyCredential === 'function' && !isAddress;
}
