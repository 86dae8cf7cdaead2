import type { Locator, Page } from 'playwright-core';
import { createIssueInput } from '#shared/features/issues/issues.ts';
import { uuidv7 } from '#shared/ids.ts';
import { signInAs, type TestBuilding, type TestPerson } from '../rows/factories.ts';
import { createTestClient } from '../server/client.ts';
import type { TestServer } from '../server/server.ts';

// Locates parts of the issues screen by their text, as a person would.

export const column = (page: Page, status: string): Locator =>
  page.getByRole('region', { name: status, exact: true });

export const card = (page: Page, status: string, title: string): Locator =>
  column(page, status).getByRole('article').filter({ hasText: title });

/** The link of a card or a row. */
export const issueLink = (page: Page, title: string): Locator =>
  page.getByRole('link', { name: new RegExp(title) });

/** Waits until the live stream is connected, after which changes arrive without a reload. */
export const live = (page: Page): Promise<void> => page.locator('[data-live=live]').waitFor();

/** Opens the details of an issue. */
export async function openDetails(page: Page, title: string): Promise<Locator> {
  await issueLink(page, title).click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByRole('heading', { name: 'History' }).waitFor();
  return dialog;
}

/** Reports an issue with the dialog of the page. */
export async function reportByHand(page: Page, building: string, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Report Issue', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Report New Issue - ${building}` });
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByRole('button', { name: 'Create Issue' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

type Reported = { title: string; description?: string; priority?: 'low' | 'medium' | 'high' | 'critical' };

/**
 * Reports issues through the API, one after the other.
 * @returns their ids
 */
export async function reportIssues(
  server: TestServer,
  person: TestPerson,
  building: TestBuilding,
  issues: readonly Reported[],
): Promise<string[]> {
  const client = createTestClient(server.url, await signInAs(server, person));
  const ids: string[] = [];
  for (const { title, description = '', priority = 'medium' } of issues) {
    const id = uuidv7();
    const input = { operationId: uuidv7(), id, buildingId: building.id, title, description, priority };
    await client.issues.create.mutate(createIssueInput.parse(input));
    ids.push(id);
  }
  return ids;
}

/** Scrolls the board's columns for this number of frames. @returns the most cards in a column, and how far it scrolled */
export function scrollBoard(page: Page, frames: number): Promise<{ most: number; reached: number }> {
  return page.evaluate(async (howMany) => {
    const columns = [...document.querySelectorAll<HTMLElement>('[data-column] > div')];
    let most = 0;
    for (let frame = 0; frame < howMany; frame += 1) {
      for (const one of columns) one.scrollTop += 90;
      await new Promise(requestAnimationFrame);
      for (const one of columns) most = Math.max(most, one.querySelectorAll('[data-card]').length);
    }
    return { most, reached: Math.max(...columns.map((one) => one.scrollTop)) };
  }, frames);
}
