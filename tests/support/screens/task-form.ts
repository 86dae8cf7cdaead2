import type { Locator, Page } from 'playwright-core';

// The form of a task, at a building called Harbour House.

export async function chooseHarbour(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Location: / }).click();
  await page.getByRole('option', { name: 'Harbour House' }).click();
}

/** Fills the required fields of a new task. */
export async function fillTask(page: Page, description: string): Promise<void> {
  await chooseHarbour(page);
  await page.getByLabel('Compliance System').fill('Fire Alarm');
  await page.getByLabel('Task Description').fill(description);
  await page.getByLabel('Frequency').selectOption('Quarterly');
}

/** A text in a toast. */
export const toastWith = (page: Page, text: string): Locator =>
  page.getByRole('region', { name: /Notifications/ }).getByText(text, { exact: true });
