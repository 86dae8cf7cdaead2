/** Reads from local or session storage. Never throws: a browser may forbid storage, and nothing here depends on it. */
export function readStored(kind: 'local' | 'session', key: string): string | undefined {
  try {
    return (kind === 'local' ? localStorage : sessionStorage).getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Writes a value; undefined removes it. Never throws. */
export function writeStored(kind: 'local' | 'session', key: string, value: string | undefined): void {
  try {
    const store = kind === 'local' ? localStorage : sessionStorage;
    if (value === undefined) store.removeItem(key);
    else store.setItem(key, value);
  } catch {
    // Storage is full or forbidden: the page works without it.
  }
}

/** The Cache Storage; absent in pages that were not loaded securely, although the types say otherwise. */
export function cachesOf(): CacheStorage | undefined {
  return globalThis.caches;
}
