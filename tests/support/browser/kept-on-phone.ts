import type { Page } from 'playwright-core';

type Store = 'items' | 'blobs' | 'drafts' | 'copies';

/** Reads one of the app's stores on the phone; empty if the app has not created them yet. */
export function rowsOnPhone<Row>(page: Page, store: Store): Promise<Row[]> {
  return page.evaluate(
    (name) =>
      new Promise<Row[]>((resolve, reject) => {
        const open = indexedDB.open('lintel-offline');
        // The app has not created it yet; aborted, because only the app may.
        open.onupgradeneeded = () => open.transaction?.abort();
        open.onerror = () => resolve([]);
        open.onsuccess = () => {
          const all = open.result.transaction(name).objectStore(name).getAll();
          all.onerror = () => reject(all.error);
          all.onsuccess = () => {
            open.result.close();
            resolve(all.result);
          };
        };
      }),
    store,
  );
}

/** Tells whether a text typed into a form is stored on the phone. */
export async function isDrafted(page: Page, text: string): Promise<boolean> {
  return JSON.stringify(await rowsOnPhone(page, 'drafts')).includes(JSON.stringify(text));
}
