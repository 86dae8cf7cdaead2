/**
 * Asks the browser to keep what is saved here even when the device runs out of room.
 * @returns whether it will; undefined where it does not say
 */
export async function askToPersist(): Promise<boolean | undefined> {
  // Absent in a page that was not loaded securely, whatever the types say.
  const storage: StorageManager | undefined = navigator.storage;
  if (storage?.persist === undefined) return undefined;
  try {
    return (await storage.persisted()) || (await storage.persist());
  } catch {
    return undefined;
  }
}

/** The number on the icon of the installed app; where it is not installed, or cannot, nothing happens. */
export function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  const shown = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
  shown.catch(() => undefined);
}
