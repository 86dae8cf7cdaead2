import type { Locator, Page } from 'playwright-core';
import type { WebSetting } from '../browser/web-setting.ts';
import type { TestPerson } from '../rows/factories.ts';
import { live } from './issues-screen.ts';

// Parts of User Management by their text, as a person would find them.

export const cardOf = (page: Page, name: string): Locator => page.getByRole('article', { name });

/** Chooses an item of a person's menu. */
export async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Opens a page, and waits until its live stream is connected. */
export async function openLive({ open }: WebSetting, person: TestPerson, path: string): Promise<Page> {
  const page = await open(person, path);
  await live(page);
  return page;
}
