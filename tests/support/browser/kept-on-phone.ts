import type { Page } from 'playwright-core';

type Store = 'items' | 'blobs' | 'drafts' | 'copies';

/** Reads one of the app's stores on the phone; empty if the app has not created them yet. */
export function rowsOnPhone<Row>(page: Page, store: Store): Promise<Row[]> {
  return page.evaluate(
    (name) =>
      new Promise<Row[]>((resolve, reject) => {
        const open = indexedDB.open('lintel-offline');
        // The app has not created the database yet; aborted, because only the app must create it.
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

/** Returns whether a text typed into a form is stored on the phone. */
export async function isDrafted(page: Page, text: string): Promise<boolean> {
  return JSON.stringify(await rowsOnPhone(page, 'drafts')).includes(JSON.stringify(text));
}

/** Makes the drafts on the phone older, as if they had been begun `ms` milliseconds earlier; a reload shows them. */
export function ageDrafts(page: Page, ms: number): Promise<void> {
  return page.evaluate(
    (by) =>
      new Promise<void>((resolve, reject) => {
        const open = indexedDB.open('lintel-offline');
        open.onerror = () => reject(open.error);
        open.onsuccess = () => {
          const tx = open.result.transaction('drafts', 'readwrite');
          const walk = tx.objectStore('drafts').openCursor();
          walk.onsuccess = () => {
            const cursor = walk.result;
            if (cursor === null) return;
            const { value } = cursor.value;
            for (const name of ['startedAt', 'touchedAt'])
              value[name] = new Date(Date.parse(value[name]) - by).toISOString();
            cursor.update(cursor.value);
            cursor.continue();
          };
          tx.onerror = () => reject(tx.error);
          tx.oncomplete = () => {
            open.result.close();
            resolve();
          };
        };
      }),
    ms,
  );
}
