import type { Page } from 'playwright-core';

/** Names of files that pages fetch when the pointer first moves: the code of toasts, and of the data stored on a device. */
type ForLater = 'toaster' | 'offline-instance';

/**
 * Takes the connection away, once the page has loaded the code that it needs offline. Without that code a page without a
 * connection shows no toast, and stores no command.
 * @param code the code that the test needs without a connection
 */
export async function loseConnection(page: Page, code: readonly ForLater[] = ['toaster']): Promise<void> {
  // In two steps, because the first position of the mouse does not count as a movement.
  await page.mouse.move(50, 50, { steps: 2 });
  for (const name of code) await hasCome(page, name);
  await page.context().setOffline(true);
}

async function hasCome(page: Page, name: ForLater): Promise<void> {
  const file = await page.waitForFunction(
    (start) => performance.getEntriesByType('resource').find((each) => each.name.includes(start))?.name,
    `/assets/${name}-`,
  );
  // Resolves when the imports of the file are loaded, too. As text, because the tests' compiler would replace the import.
  await page.evaluate(`import(${JSON.stringify(await file.jsonValue())}).then(() => undefined)`);
}
