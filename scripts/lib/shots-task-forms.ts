import type { Page } from 'playwright-core';
import type { Shot } from './shot.ts';

const SITE = 'Harbour House';

/** Calls a procedure as the page does. */
async function ask<Answer>(page: Page, procedure: string, input?: object): Promise<Answer> {
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  return page.evaluate(async (address) => {
    const answer = await fetch(address, { headers: { 'x-app': '1' } });
    return ((await answer.json()) as { result: { data: { data: Answer } } }).result.data.data;
  }, `/trpc/${procedure}${query}`);
}

/** Opens the form of the first task for which `wanted` is true. */
async function openTask(
  page: Page,
  wanted: (task: { check: string | null }) => boolean,
  atEnd = false,
): Promise<void> {
  const { buildings } = await ask<{ buildings: { buildingId: string }[] }>(page, 'tasks.overview');
  for (const { buildingId } of buildings) {
    const { tasks } = await ask<{ tasks: { id: string; check: string | null }[] }>(page, 'tasks.list', {
      buildingId,
      retired: false,
    });
    const task = tasks.find(wanted);
    if (task === undefined) continue;
    await page.goto(`/edit-task/${task.id}`);
    await page.getByLabel('Task Description').waitFor();
    if (atEnd) await page.getByRole('button', { name: 'Save Task' }).scrollIntoViewIfNeeded();
    return;
  }
}

async function chooseSite(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Location: / }).click();
  await page.getByRole('option', { name: SITE }).first().click();
  await page.getByText(/-T\d{4}/).waitFor();
}

/** The forms of compliance tasks. */
export const TASK_FORMS: readonly Shot[] = [
  { name: 'add-task', path: '/add-task' },
  // Taken before the pictures with typed text, because typed text is stored as a draft and would be shown here.
  {
    name: 'add-task-refused',
    path: '/add-task',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add Task' }).click();
      await page.getByText('Location is required').waitFor();
    },
  },
  {
    name: 'add-task-other',
    path: '/add-task',
    act: async (page) => {
      await chooseSite(page);
      await page.getByLabel('Compliance System').fill('Lifts');
      await page.getByLabel('Task Description').fill('Thorough examination of the passenger lift');
      await page.getByLabel('Frequency').selectOption('Other…');
      await page.getByLabel('Every').fill('1');
      await page.getByLabel('Next due date').selectOption('Fixed weekday of the month');
      await page.getByRole('button', { name: 'Add Task' }).scrollIntoViewIfNeeded();
    },
  },
  { name: 'edit-task-none', path: '/edit-task' },
  { name: 'edit-task', path: '/dashboard', act: (page) => openTask(page, ({ check }) => check === null) },
  {
    name: 'edit-task-check',
    path: '/dashboard',
    act: (page) => openTask(page, ({ check }) => check !== null, true),
  },
];
