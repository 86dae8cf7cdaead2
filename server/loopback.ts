const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/**
 * Does this name or address lead back to this machine alone?
 * @param host as in HOST, or as a URL has it, with brackets around IPv6
 */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Can other machines reach a server with these settings, by its own address or through a proxy? */
export function isReachable({ host, publicUrl }: { host: string; publicUrl?: string | undefined }): boolean {
  return !isLoopback(host) || (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname));
}
