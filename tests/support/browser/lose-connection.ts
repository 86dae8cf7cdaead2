import type { Page } from 'playwright-core';

/** Code that pages fetch when a person first moves the pointer, by the names of its files: of toasts, and of what is kept on the device. */
type ForLater = 'toaster' | 'offline-instance';

/**
 * Takes the connection away, after the code has come that the page fetches in time for that. Without a connection a page
 * that has not got it shows no toast, and keeps no command.
 * @param code what the test needs without a connection
 */
export async function loseConnection(page: Page, code: readonly ForLater[] = ['toaster']): Promise<void> {
  // The first place of a mouse is no movement.
  await page.mouse.move(50, 50, { steps: 2 });
  for (const name of code) await hasCome(page, name);
  await page.context().setOffline(true);
}

async function hasCome(page: Page, name: ForLater): Promise<void> {
  const file = await page.waitForFunction(
    (start) => performance.getEntriesByType('resource').find((each) => each.name.includes(start))?.name,
    `/assets/${name}-`,
  );
  // Resolves when all that it imports has come, too. As text, because the tests' own compiler would replace the import.
  await page.evaluate(`import(${JSON.stringify(await file.jsonValue())}).then(() => undefined)`);
}
