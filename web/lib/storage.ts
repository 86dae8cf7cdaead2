/** Local and session storage that never throw: a browser may forbid them, and nothing here depends on them. */
export function readStored(kind: 'local' | 'session', key: string): string | undefined {
  try {
    return (kind === 'local' ? localStorage : sessionStorage).getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Writes, or with undefined removes. */
export function writeStored(kind: 'local' | 'session', key: string, value: string | undefined): void {
  try {
    const store = kind === 'local' ? localStorage : sessionStorage;
    if (value === undefined) store.removeItem(key);
    else store.setItem(key, value);
  } catch {
    // Full or forbidden: the page works without.
  }
}

/** Absent in a page that was not loaded securely, whatever the types say. */
export function cachesOf(): CacheStorage | undefined {
  return globalThis.caches;
}
