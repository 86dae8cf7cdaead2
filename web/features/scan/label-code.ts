const LABEL = /^\/a\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/?$/i;

/**
 * Returns the asset id in the URL of a label; undefined for any other code. The host is ignored: labels outlive the
 * domain that is printed on them.
 */
export function assetIdIn(code: string): string | undefined {
  if (!URL.canParse(code)) return undefined;
  const { protocol, pathname } = new URL(code);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return LABEL.exec(pathname)?.[1]?.toLowerCase();
}
