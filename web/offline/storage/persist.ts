/**
 * Asks the browser not to evict this site's storage when the device runs out of room.
 * @returns whether the browser agrees; undefined if it gives no answer
 */
export async function askToPersist(): Promise<boolean | undefined> {
  // Absent in pages that were not loaded securely, although the types say otherwise.
  const storage: StorageManager | undefined = navigator.storage;
  if (storage?.persist === undefined) return undefined;
  try {
    return (await storage.persisted()) || (await storage.persist());
  } catch {
    return undefined;
  }
}

/**
 * Sets the number on the icon of the installed app; does nothing if the app is not installed or the browser does not
 * support it.
 */
export function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  const shown = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
  shown.catch(() => undefined);
}
