const LABEL = /^\/a\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/?$/i;

/**
 * The asset that a label's code names; undefined for any other code. The host is not looked at: labels outlive the
 * address that was printed on them.
 */
export function assetIdIn(code: string): string | undefined {
  if (!URL.canParse(code)) return undefined;
  const { protocol, pathname } = new URL(code);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return LABEL.exec(pathname)?.[1]?.toLowerCase();
}
