import type { Locator, Page } from 'playwright-core';

// Parts of the forms of the checks by their text, as a person would find them.

/** Chooses another site in a form. */
export const chooseSite = (page: Page, name: string): Promise<void> => choose(page, 'Site', name);

/** Chooses from the list of a field in a form, such as "Test location". */
export async function choose(page: Page, field: string, name: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${field}: `) }).click();
  // By keyboard: the list covers the button, so a click there now would count as the second half of a double tap.
  await page.getByLabel(/^Search .+\.\.\.$/).fill(name);
  await page.getByRole('option', { name }).waitFor();
  await page.keyboard.press('Enter');
}

/** Submits a form. */
export const record = (page: Page): Promise<void> => page.getByRole('button', { name: /^Record/ }).click();

/** Submits a form with rows that have no result, and confirms that this is intended. */
export async function recordAnyway(page: Page): Promise<void> {
  await record(page);
  // By keyboard: a click at the same place now would count as the second half of a double tap.
  await page.getByRole('dialog').getByRole('button', { name: 'Save anyway' }).press('Enter');
}

/** The field for the reading of an outlet. */
export const temperature = (page: Page, outlet: string): Locator =>
  page.getByLabel(`Temperature of ${outlet}`, { exact: true });

/** The buttons of one question, such as "Result of Exit sign". */
export const group = (page: Page, name: string): Locator => page.getByRole('group', { name });
