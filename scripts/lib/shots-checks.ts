import type { Page } from 'playwright-core';
import { DAY_MS } from '#shared/dates.ts';
import type { HeldVisits } from '#shared/features/checks/procedure-answers.ts';
import { SAMPLE_SITE_ID } from '#shared/features/locations/locations.ts';
import { expandFilters, type Shot } from './shot.ts';

/** Chooses the first building in a record form. The form shows no subjects before a building is chosen. */
export async function atFirstSite(page: Page): Promise<void> {
  const site = page.getByRole('button', { name: /^Site: / });
  await site.waitFor();
  if ((await site.getAttribute('aria-label')) === 'Site: Select a site') {
    await site.click();
    await page.getByRole('option').first().waitFor();
    // By keyboard, because a second click at the same place would be ignored as a bounce of the first click.
    await page.keyboard.press('Enter');
  }
  await page
    .getByRole('button', { name: /^(Pass|Record \d|Record false)/ })
    .first()
    .waitFor();
}

const form = (slug: string): Shot => ({
  name: `check-${slug}`,
  path: `/operative-tasks/${slug}`,
  act: atFirstSite,
});

async function offline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page
    .getByText(/^(Offline|No signal|No connection)/)
    .filter({ visible: true })
    .first()
    .waitFor();
}

/** The operative's screens of the checks. */
export const TASKS: readonly Shot[] = [
  { name: 'operative-tasks', path: '/operative-tasks' },
  form('fire-alarm'),
  form('emergency-lighting'),
  form('water-temperature'),
  form('outlet-flushing'),
  form('false-alarm'),
  {
    name: 'operative-tasks-offline',
    path: '/operative-tasks',
    act: offline,
    until: (page) => page.waitForTimeout(500),
  },
  {
    name: 'check-fire-alarm-offline',
    path: '/operative-tasks/fire-alarm',
    act: async (page) => {
      await atFirstSite(page);
      await offline(page);
    },
    until: (page) => page.waitForTimeout(500),
  },
  { name: 'scan', path: '/scan' },
  {
    name: 'check-water-temperature-read',
    path: '/operative-tasks/water-temperature',
    act: async (page) => {
      await atFirstSite(page);
      const readings = page.locator('input[inputmode=decimal]');
      await readings.nth(0).fill('14.2');
      await readings.nth(1).fill('41.3');
      await page.getByText('Draft saved on this').waitFor();
      // Shows the page as it opens, not scrolled to the filled fields.
      await page.evaluate(() => scrollTo(0, 0));
    },
  },
  {
    name: 'check-wrong',
    path: '/operative-tasks/emergency-lighting',
    act: async (page) => {
      await atFirstSite(page);
      await page.getByRole('button', { name: /^Record \d/ }).click();
      await page.locator('[role=alert], [aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'check-sites',
    path: '/operative-tasks/fire-alarm',
    act: async (page) => {
      await atFirstSite(page);
      await page.getByRole('button', { name: /^Site: / }).click();
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'check-draft-back',
    path: '/operative-tasks/outlet-flushing',
    act: async (page) => {
      await begun(page, 'Flushed');
      await page.reload();
      await page.getByText(/^Your draft from/).waitFor();
    },
  },
  {
    name: 'check-draft-old',
    path: '/operative-tasks/emergency-lighting',
    act: async (page) => {
      await yesterday(page);
      await begun(page, 'Pass');
      await page.unrouteAll();
      await page.clock.setSystemTime(Date.now());
      await page.reload();
      await page.getByText('When did you take these readings?').waitFor();
    },
  },
];

/** Reloads the page with its clock, and the server's time in answers, set a day back. */
async function yesterday(page: Page): Promise<void> {
  await page.clock.setSystemTime(Date.now() - DAY_MS);
  await page.route('**/trpc/**', async (route) => {
    const answer = await route.fetch();
    const serverTime = new Date(Date.now() - DAY_MS).toISOString();
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-server-time': serverTime } });
  });
  await page.reload();
}

/** Starts a check and leaves it unfinished. */
async function begun(page: Page, outcome: string): Promise<void> {
  await atFirstSite(page);
  await page.getByRole('button', { name: outcome, exact: true }).first().click();
  await page.getByText('Draft saved on this').waitFor();
}

async function toFirstSite(page: Page): Promise<void> {
  await page.locator('[role=rowheader] a').first().click();
  await page.waitForURL(/building=/);
  await page.waitForLoadState('networkidle');
}
async function toFirstRecord(page: Page): Promise<void> {
  await page.locator('tr[data-entry] a').first().click();
  await page.getByRole('dialog').waitFor();
}

const FALSE_ALARMS = `/logbook/fire-alarm?building=${SAMPLE_SITE_ID}&year=2025`;
async function toFalseAlarm(page: Page): Promise<void> {
  await page.locator('tr[data-incident]').first().scrollIntoViewIfNeeded();
}

const log = (slug: string): Shot => ({ name: `log-${slug}`, path: `/logbook/${slug}` });
const siteLog = (slug: string): Shot => ({
  name: `log-site-${slug}`,
  path: `/logbook/${slug}`,
  act: toFirstSite,
});

/** The log book, as its readers see it. */
export const LOGS: readonly Shot[] = [
  { name: 'logbook', path: '/logbook' },
  log('fire-alarm'),
  log('water-temperature'),
  { name: 'log-filtered', path: '/logbook/fire-alarm?result=fail' },
  expandFilters('log-filters', '/logbook/fire-alarm?result=fail'),
  {
    name: 'log-sites',
    path: '/logbook/fire-alarm',
    act: async (page) => {
      await page.getByRole('button', { name: /^Site: / }).click();
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'log-reason',
    path: '/logbook/outlet-flushing',
    act: async (page) => {
      await toFirstSite(page);
      await page.getByRole('button', { name: 'Give a reason' }).first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'log-nothing-matches', path: '/logbook/fire-alarm?operative=nobody-is-called-this' },
  siteLog('fire-alarm'),
  siteLog('emergency-lighting'),
  siteLog('water-temperature'),
  siteLog('outlet-flushing'),
  {
    name: 'log-trend',
    path: '/logbook/water-temperature',
    act: async (page) => {
      await toFirstSite(page);
      await page.locator('[data-log] tbody th a').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'log-false-alarms', path: FALSE_ALARMS, act: toFalseAlarm },
  {
    name: 'log-false-alarm-thread',
    path: FALSE_ALARMS,
    act: async (page) => {
      await toFalseAlarm(page);
      await toFirstRecord(page);
    },
  },
  { name: 'log-thread', path: '/logbook/fire-alarm?result=fail', act: toFirstRecord },
  {
    name: 'log-amend',
    path: '/logbook/fire-alarm',
    act: async (page) => {
      await toFirstRecord(page);
      await page.getByRole('button', { name: 'Amend' }).click();
      await page.getByRole('button', { name: 'Save amendment' }).waitFor();
    },
  },
];

const HELD: HeldVisits = {
  visits: [
    {
      id: SAMPLE_SITE_ID,
      kind: 'fire_alarm_test',
      building: { id: SAMPLE_SITE_ID, name: 'Harbour House' },
      why: 'no_access',
      visitDate: '2026-11-13',
      performedAt: '2026-11-13T09:12:00.000Z',
      receivedAt: '2026-11-16T17:40:00.000Z',
      late: true,
      clockWrong: true,
      operativeName: 'Jordan Reed',
      recordedByName: 'Jordan Reed',
      recordedByNow: null,
      imported: null,
      entries: [
        {
          id: SAMPLE_SITE_ID,
          subjectName: 'Ground Floor Corridor',
          subjectPlace: 'Ground Floor',
          result: 'fail',
          values: {},
          notes: 'The sounder on the stair was faint.',
          photoIds: [],
        },
      ],
      obstacle: null,
    },
  ],
  total: 1,
};
/**
 * The held record is simulated: a record is held only after its recorder has lost access to the building, which does not
 * happen in the sample data.
 */
const withOneHeld = (page: Page) =>
  page.route(/\/trpc\/[^?]*checks\.held\b/, async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    await route.fulfill({
      response,
      body: body.replace('"visits":[],"total":0', JSON.stringify(HELD).slice(1, -1)),
    });
  });

/** The administrator's screens of the checks. */
export const CHECK_OFFICE: readonly Shot[] = [
  { name: 'held-records', path: '/logbook/held' },
  { name: 'held-record', path: '/logbook/held', prepare: withOneHeld },
  {
    name: 'held-decide',
    path: '/logbook/held',
    prepare: withOneHeld,
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Refuse/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'schedules',
    path: '/logbook/schedules',
    act: async (page) => {
      await page.getByRole('button', { name: /^Site/ }).click();
      await page.getByRole('option').first().click();
      await page
        .getByRole('button', { name: /^Change/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'schedule-change',
    path: '/logbook/schedules',
    act: async (page) => {
      await page.getByRole('button', { name: /^Site/ }).click();
      await page.getByRole('option').first().click();
      await page
        .getByRole('button', { name: /^Change/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
];
