import type { Page } from 'playwright-core';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { pages } from '#web/app/pages.ts';
import { NOBODYS_ID, type Screens, TASK_ID } from './screen.ts';

const allSites = `${pages.compliance.path}?building=all`;

export const tasksScreens: Screens = {
  'the library of tasks': {
    path: `${pages.taskTemplates.path}?q=fire`,
    who: 'manager',
    heading: 'Statutory and recommended',
    act: async (page) => {
      await libraryOfHarbourHouse(page);
      await page
        .getByRole('checkbox', { name: /^Choose Fire Doors/ })
        .first()
        .check();
      await page.getByRole('button', { name: 'Preview 1 task' }).waitFor();
    },
  },
  'what the library adds': {
    path: `${pages.taskTemplates.path}?q=fire`,
    who: 'manager',
    heading: 'Statutory and recommended',
    act: async (page) => {
      await libraryOfHarbourHouse(page);
      await page
        .getByRole('checkbox', { name: /^Choose Fire Doors/ })
        .first()
        .check();
      await page.getByRole('button', { name: 'Preview 1 task' }).click();
      await page.getByRole('list', { name: 'To be added' }).waitFor();
    },
  },
  'a new task': { path: pages.addTask.path, who: 'manager', heading: 'Add Task' },
  'a new task, refused, with another frequency': {
    path: pages.addTask.path,
    who: 'manager',
    heading: 'Add Task',
    act: async (page) => {
      await page.getByLabel('Frequency').selectOption('Other…');
      await page.getByLabel('Next due date').selectOption('Fixed weekday of the month');
      await page.getByRole('button', { name: 'Add Task' }).click();
      await page.getByText(taskMessages.locationRequired).waitFor();
    },
  },
  'a task': {
    path: `${pages.editNoTask.path}/${TASK_ID}`,
    who: 'manager',
    heading: /^Edit HAR-T/,
    act: (page) => page.getByLabel('Task Description').waitFor(),
  },
  'a task that does not exist': {
    path: `${pages.editNoTask.path}/${NOBODYS_ID}`,
    who: 'manager',
    heading: 'Edit Task',
    act: (page) => page.getByText(taskMessages.notFound(NOBODYS_ID)).waitFor(),
  },
  'no task': { path: pages.editNoTask.path, who: 'manager', heading: 'Edit Task' },
  'compliance of all sites': {
    path: allSites,
    who: 'viewer',
    heading: pages.compliance.title,
    act: (page) => page.locator('[data-site]').first().waitFor(),
  },
  "a building's tasks": {
    path: allSites,
    who: 'manager',
    heading: pages.compliance.title,
    act: openTasks,
  },
  'a task’s calendar': {
    path: allSites,
    who: 'manager',
    heading: pages.compliance.title,
    act: openCalendar,
    // On a phone the control is in the opened task.
    actOnPhone: async (page) => {
      await page.keyboard.press('Escape');
      await page
        .getByRole('link', { name: /Thorough examination/ })
        .first()
        .click();
      await openCalendar(page);
    },
  },
  'the record of a task': {
    path: allSites,
    who: 'manager',
    heading: pages.compliance.title,
    act: async (page) => {
      await openTasks(page);
      await page.getByRole('link', { name: /Panel/ }).click();
      await page.getByText('Marked as non-compliant on').waitFor();
    },
  },
  'the certificates of a task': {
    path: allSites,
    who: 'manager',
    heading: pages.compliance.title,
    act: async (page) => {
      await openTasks(page);
      await page.getByRole('link', { name: /Thorough examination/ }).click();
      await page.getByRole('button', { name: 'Examination.pdf' }).first().waitFor();
      await page.getByRole('button', { name: /^Attach certificate/ }).waitFor();
    },
  },
  'a selection of tasks to reassign': {
    path: allSites,
    who: 'manager',
    heading: pages.compliance.title,
    act: async (page) => {
      await openTasks(page);
      await page
        .getByRole('checkbox', { name: /^Select all/ })
        .first()
        .check();
      await page.getByRole('button', { name: 'Reassign…' }).click();
      await page.getByLabel('Responsible Person').waitFor();
    },
  },
  'the reason of a mark': {
    path: allSites,
    who: 'manager',
    heading: pages.compliance.title,
    act: async (page) => {
      await openTasks(page);
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: /^Mark/ }).click();
      await page.getByRole('button', { name: 'Mark non-compliant' }).click();
      await page.getByText(taskMessages.reasonRequired).waitFor();
    },
  },
};

async function libraryOfHarbourHouse(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Building: / }).click();
  await page.getByRole('option', { name: 'Harbour House' }).click();
  await page.getByRole('region', { name: 'To confirm' }).waitFor();
}

/** Opens the tasks of the building that has some. */
async function openTasks(page: Page): Promise<void> {
  const site = page.locator('[data-site] a').first();
  await site.or(page.locator('[data-task]').first()).first().waitFor();
  // The page may restore the last chosen building.
  if (await site.isVisible()) await site.click();
  await page.locator('[data-task]').first().waitFor();
}

async function openCalendar(page: Page): Promise<void> {
  if ((await page.locator('[data-task]').count()) === 0) await openTasks(page);
  await page
    .getByRole('button', { name: /^Last completed/ })
    .first()
    .click();
  await page.getByRole('grid').waitFor();
}
