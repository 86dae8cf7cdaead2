import type { Locator, Page } from 'playwright-core';
import { templateMessages } from '#shared/features/tasks/task-templates-messages.ts';

// Parts of the library of statutory and recommended tasks.

export const LOLER = 'Lifting Equipment – LOLER thorough examination: lifts for people, accessories';

/** The list of the duties that have no task, according to the register. */
export const missing = (page: Page): Locator => page.getByRole('region', { name: templateMessages.missing });

/** The checkbox of a template. */
export const template = (page: Page, name: string): Locator =>
  page.getByRole('checkbox', { name: `Choose ${name}` });

/** Presses the button that shows what would be added. */
export const preview = (page: Page, count: number): Promise<void> =>
  page.getByRole('button', { name: templateMessages.preview(count) }).click();
