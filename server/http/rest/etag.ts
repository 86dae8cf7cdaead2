import { createHash } from 'node:crypto';

/**
 * The entity tag of an object (RFC 9110, 8.8.3). Made from the object as it is sent, because the names of buildings and people in
 * it change without its version.
 * @param text the object as JSON
 */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/**
 * Whether `If-Match` or `If-None-Match` names a tag. A tag that is marked as weak counts like the tag itself, also for
 * `If-Match`, because proxies that compress answers mark tags as weak.
 */
export function namesTag(header: string, tag: string): boolean {
  const named = header.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return named.some((one) => one === tag || one === '*');
}
