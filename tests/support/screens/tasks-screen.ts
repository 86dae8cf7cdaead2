import type { Locator, Page } from 'playwright-core';
import type { Clock } from '#server/kernel/server-clock.ts';
import { dayOf } from '#shared/dates.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { TestClient } from '../server/client.ts';

// Parts of the compliance screen by their text, as a person would find them, and tasks to show there.

export const COMPLIANCE = '/compliance-details';

/** A task's row or card, by text in it. */
export const task = (page: Page, text: string | RegExp): Locator =>
  page.locator('[data-task]').filter({ hasText: text });

/** The figures of the four cards, once they are shown. */
export async function cards(page: Page): Promise<number[]> {
  const summary = page.getByRole('region', { name: 'Summary' });
  const names = ['Compliant', 'Non-Compliant', 'Overdue', 'Due This Week'];
  return Promise.all(
    names.map(async (name) => {
      const card = summary.getByRole('button', { name: new RegExp(`^${name}`) });
      const [text = ''] = await card.allInnerTexts();
      return Number(text.replace(name, '').trim().split(/\s/)[0]);
    }),
  );
}

/** Chooses an item of a task's menu. */
export async function choose(page: Page, number: string, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${number}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Opens Schedule in a task's row at a desk. @returns its field */
export async function openSchedule(page: Page, { taskNumber }: Pick<Task, 'taskNumber'>): Promise<Locator> {
  const due = task(page, taskNumber).getByRole('button', { name: /^Due .+: schedule$/ });
  await due.click();
  return page.getByLabel(`New due date of ${taskNumber}`);
}

/** Opens Schedule from a task's card on a phone. @returns its field */
export async function openScheduleOnPhone(
  page: Page,
  { taskNumber }: Pick<Task, 'taskNumber'>,
): Promise<Locator> {
  await choose(page, taskNumber, 'Schedule…');
  return page.getByRole('dialog').getByLabel(`New due date of ${taskNumber}`);
}

/** Opens the dialog to complete a task with notes or photos. */
export async function openCompletion(page: Page, number: string): Promise<Locator> {
  await choose(page, number, 'Complete with notes or photos…');
  const dialog = page.getByRole('dialog', { name: taskMessages.completionTitle });
  await dialog.getByLabel('Completed on').waitFor();
  return dialog;
}

type Created = Parameters<TestClient['tasks']['create']['mutate']>[0];
const operation = () => ({ operationId: uuidv7() });

/** Tasks of one building, added and changed by the API. */
export function tasksOf(client: TestClient, buildingId: string, clock: Clock) {
  const today = () => dayOf(clock.now());
  const get = async (id: string): Promise<Task> => (await client.tasks.get.query({ id })).data;
  return {
    today,
    get,
    async add(taskDescription: string, values: Partial<Created> = {}): Promise<Task> {
      const { id } = await client.tasks.create.mutate({
        ...operation(),
        id: uuidv7(),
        buildingId,
        complianceSystem: 'Fire Alarm',
        taskDescription,
        frequency: 'weekly',
        ...values,
      });
      return get(id);
    },
    complete: ({ id, occurrence }: Task, day = today()) =>
      client.tasks.complete.mutate({ ...operation(), id, occurrence, day }),
    schedule: ({ id, due }: Task, to: string) =>
      client.tasks.schedule.mutate({ ...operation(), id, due: { from: due, to } }),
    mark: ({ id }: Task, reason = 'A fault') => client.tasks.mark.mutate({ ...operation(), id, reason }),
    retire: ({ id }: Task, reason = 'Sold') => client.tasks.retire.mutate({ ...operation(), id, reason }),
  };
}
