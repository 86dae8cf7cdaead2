import type { Locator, Page } from 'playwright-core';

// Parts of Location Management by their text, as a person would find them.

export const column = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** The row of a client, a building or a floor in its list. */
export const row = (page: Page, list: string, name: string): Locator =>
  column(page, list).getByRole('listitem').filter({ hasText: name }).getByRole('button').first();

/** A parameter of the page's address. */
export const param = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);

/** Chooses an item of the menu of a client, a building or a floor. */
export async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
