import { and, eq } from 'drizzle-orm';
import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { photos } from '#db/schema/photos.ts';
import { tasks } from '#db/schema/tasks.ts';
import type { OfflineCommand } from '#shared/offline.ts';
import { rowsOnPhone } from '#tests/support/browser/kept-on-phone.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import { record } from '#tests/support/screens/check-form.ts';
import { live, openDetails, reportIssues } from '#tests/support/screens/issues-screen.ts';
import { choosePhoto } from '#tests/support/screens/photos-site.ts';
import { fillTask } from '#tests/support/screens/task-form.ts';
import { task } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';

// Every command that may wait, with every way in which a server can fail to answer: the command is soon stored on this
// device, survives a reload, and is carried out once.

const setting = setUpWebSetting();

const db = () => setting.server.services.db;

type Work = {
  page: Page;
  /** The person's action, up to the screen that follows. */
  act(): Promise<void>;
  /** The number of times that the command has been carried out. */
  stored(): Promise<number>;
};

const COMMANDS: Record<OfflineCommand, (here: TasksSite) => Promise<Work>> = {
  'tasks.complete': async (here) => {
    const { id } = await here.tasks.add('Extinguishers');
    const page = await here.open();
    return {
      page,
      act: () =>
        task(page, 'Extinguishers')
          .getByRole('button', { name: /^Complete / })
          .click(),
      async stored() {
        const { data } = await here.client.tasks.record.query({ id });
        return data.filter(({ kind }) => kind === 'completed').length;
      },
    };
  },
  'tasks.create': async (here) => {
    const page = await setting.open(here.manager, '/add-task');
    await fillTask(page, 'Service of the panel');
    return {
      page,
      async act() {
        await page.getByRole('button', { name: 'Add Task' }).click();
        await page.waitForURL('**/dashboard');
      },
      stored: () => db().$count(tasks, eq(tasks.buildingId, here.site.id)),
    };
  },
  'tasks.update': async (here) => {
    const { id } = await here.tasks.add('Extinguishers');
    const page = await setting.open(here.manager, `/edit-task/${id}?building=${here.site.id}`);
    await page.getByLabel('Task Description').fill('Extinguishers and blankets');
    const changed = and(
      eq(tasks.id, id),
      eq(tasks.taskDescription, 'Extinguishers and blankets'),
      eq(tasks.version, 2),
    );
    return {
      page,
      async act() {
        await page.getByRole('button', { name: 'Save Task' }).click();
        await page.waitForURL('**/dashboard');
      },
      stored: () => db().$count(tasks, changed),
    };
  },
  'issues.create': async (here) => {
    const page = await setting.open(here.manager, `/building-issues?building=${here.site.id}`);
    await page.getByRole('button', { name: 'Report Issue', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Lift 2 stuck');
    return {
      page,
      async act() {
        await dialog.getByRole('button', { name: 'Create Issue' }).click();
        await dialog.waitFor({ state: 'hidden' });
      },
      stored: () => db().$count(buildingIssues, eq(buildingIssues.buildingId, here.site.id)),
    };
  },
  'checks.record': async (here) => {
    await createAsset(setting.server.services, {
      buildingId: here.site.id,
      name: 'Lobby',
      type: 'call_point',
    });
    const person = await here.colleague('operative');
    const page = await setting.open(person, `/operative-tasks/fire-alarm?site=${here.site.id}`);
    await page.getByRole('button', { name: 'Test location: Lobby' }).waitFor();
    return {
      page,
      async act() {
        await page.getByRole('button', { name: 'Pass', exact: true }).click();
        await record(page);
      },
      stored: () => db().$count(operativeVisits, eq(operativeVisits.buildingId, here.site.id)),
    };
  },
  'photos.announce': async (here) => {
    const [id = ''] = await reportIssues(setting.server, here.manager, here.site, [{ title: 'Roof leak' }]);
    const page = await setting.open(here.manager, `/building-issues?building=${here.site.id}`);
    const details = await openDetails(page, 'Roof leak');
    return {
      page,
      act: () => choosePhoto(details),
      stored: () => db().$count(photos, eq(photos.onId, id)),
    };
  },
};

/** The ways in which the server fails to answer; the returned function ends the failure. */
const STATES: Record<string, (page: Page) => Promise<() => Promise<void>>> = {
  async 'no network'(page) {
    await page.context().setOffline(true);
    return () => page.context().setOffline(false);
  },
  'no server': (page) => withWrites(page, (route) => route.abort('connectionrefused')),
  'no answer': (page) =>
    withWrites(page, async (route, ended) => {
      await ended;
      await route.abort('timedout');
    }),
  'a lost answer': (page) =>
    withWrites(page, async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    }),
  // The command is carried out, but its answer would arrive only after the person has gone.
  'a slow server': (page) =>
    withWrites(page, async (route, ended) => {
      const response = await route.fetch();
      await ended;
      await route.fulfill({ response });
    }),
};

/** @param handle handles each write; `ended` resolves when the server answers again */
async function withWrites(
  page: Page,
  handle: (route: Route, ended: Promise<void>) => Promise<void>,
): Promise<() => Promise<void>> {
  let isOver = false;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  await page.context().route(/\/trpc\/|\/files\//, async (route) => {
    if (isOver || route.request().method() === 'GET') return route.continue();
    // If the page has gone in the meantime, the answer fails.
    await handle(route, ended).catch(() => undefined);
  });
  return async () => {
    isOver = true;
    end();
  };
}

/** Commands on this device that the server may not have. */
async function waiting(page: Page): Promise<number> {
  const rows = await rowsOnPhone<{ phase: string }>(page, 'items');
  return rows.filter(({ phase }) => phase !== 'done').length;
}

describe.each(Object.entries(STATES))('with %s', (state, begin) => {
  test.each(Object.keys(COMMANDS) as OfflineCommand[])(
    '%s is kept, and carried out once',
    async (command) => {
      const here = await createTasksSite(setting);
      const { page, act, stored } = await COMMANDS[command](here);
      await live(page);
      const end = await begin(page);
      await act();
      await expect.poll(() => waiting(page)).toBe(1);
      // Without a network there would be no page to load.
      if (state === 'no network') await end();
      await page.reload();
      await live(page);
      await end();
      await page.evaluate(() => void window.dispatchEvent(new Event('online')));
      await expect.poll(stored).toBe(1);
      await expect.poll(() => waiting(page)).toBe(0);
      expect(await stored()).toBe(1);
    },
  );
});
