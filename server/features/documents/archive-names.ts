import { foldCase } from '#shared/features/issue-filter.ts';
import { numberedName } from './document-names.ts';

/** Names that Windows keeps for devices, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
/** In characters; a path of several such names can still be unpacked anywhere. */
const NAME_MAX = 120;

/**
 * A name that every system can unpack, and that leads nowhere else: without separators and drive letters, and never "." or
 * "..".
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

/** Gives out names that are unique in a folder, whatever the case. */
export function uniqueNames(): (name: string, isFolder: boolean) => string {
  const taken = new Set<string>();
  return (name, isFolder) => {
    const safe = safeName(name);
    let unique = safe;
    for (let number = 2; taken.has(foldCase(unique)); number += 1)
      unique = numberedName(safe, number, isFolder);
    taken.add(foldCase(unique));
    return unique;
  };
}
