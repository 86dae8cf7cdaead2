import { nameKey } from '#shared/text/name-keys.ts';
import { numberedName } from './document-names.ts';

/** Names that Windows reserves for devices, with any extension. Spaces before the extension do not count. */
const RESERVED = /^(con|conin\$|conout\$|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i;
/** In characters; a path of several such names can still be unpacked anywhere. */
const NAME_MAX = 120;

/**
 * A name that every system can unpack, and that cannot lead to another folder: without separators and drive letters, and
 * never "." or "..".
 */
export function safeName(name: string): string {
  const cleaned = name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]/gu, '_')
    .replace(/[. ]+$/, '')
    .replace(/^ +/, '');
  const named = cleaned === '' || RESERVED.test(cleaned) ? `_${cleaned}` : cleaned;
  if (named.length <= NAME_MAX) return named;
  const extension = /\.[^.\s]{1,16}$/u.exec(named)?.[0] ?? '';
  return `${named
    .slice(0, NAME_MAX - extension.length)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}${extension}`;
}

/** @returns a function that makes each name of a folder unique: a name that looks like an earlier one gets a number */
export function uniqueNames(): (name: string, isFolder: boolean) => string {
  const taken = new Set<string>();
  /** The next number to try for each name, because `safeName` may turn thousands of names into one. */
  const next = new Map<string, number>();
  return (name, isFolder) => {
    const safe = safeName(name);
    const key = nameKey(safe);
    let unique = safe;
    let number = next.get(key) ?? 2;
    for (; taken.has(nameKey(unique)); number += 1) unique = numberedName(safe, number, isFolder);
    next.set(key, number);
    taken.add(nameKey(unique));
    return unique;
  };
}
