import type { Page } from 'playwright-core';

type Store = 'items' | 'blobs' | 'drafts' | 'copies';

/** What lies in one of the app's stores on the phone; nothing where the app has not made them yet. */
export function rowsOnPhone<Row>(page: Page, store: Store): Promise<Row[]> {
  return page.evaluate(
    (name) =>
      new Promise<Row[]>((resolve, reject) => {
        const open = indexedDB.open('lintel-offline');
        // The app has not made it yet, and nobody else may.
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

/** Whether something that was typed into a form is on the phone. */
export async function isDrafted(page: Page, text: string): Promise<boolean> {
  return JSON.stringify(await rowsOnPhone(page, 'drafts')).includes(JSON.stringify(text));
}
