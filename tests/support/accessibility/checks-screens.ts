import type { Page } from 'playwright-core';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { heldMessages } from '#shared/features/checks/held-messages.ts';
import { emergencyLightingMessages } from '#shared/features/checks/kinds/emergency-lighting.vocabulary.ts';
import { fireAlarmMessages } from '#shared/features/checks/kinds/fire-alarm.vocabulary.ts';
import { outletFlushingMessages } from '#shared/features/checks/kinds/outlet-flushing.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { scheduleMessages } from '#shared/features/checks/schedule-messages.ts';
import { pages } from '#web/app/pages.ts';
import { chooseSite } from '../screens/check-form.ts';
import type { Screens } from './screen.ts';

const fireLog = `${pages.logbook.path}/fire-alarm`;
const waterLog = `${pages.logbook.path}/water-temperature`;

export const checksScreens: Screens = {
  'the log book': { path: pages.logbook.path, who: 'manager', heading: pages.logbook.title },
  'a log of all sites': { path: fireLog, who: 'viewer', heading: 'Fire alarm weekly log' },
  'a site’s weeks': {
    path: fireLog,
    who: 'operative',
    heading: 'Fire alarm weekly log',
    act: async (page) => {
      await page.getByRole('link', { name: /^Harbour House/ }).click();
      await page.getByRole('button', { name: logMessages.jump }).click();
      await page.locator('tr[data-week] a').first().waitFor();
    },
  },
  'the thread of a failure': {
    path: fireLog,
    who: 'manager',
    heading: 'Fire alarm weekly log',
    act: async (page) => {
      await page.locator('tr[data-entry] a').first().click();
      await page.getByText(logMessages.noRetest).waitFor();
    },
  },
  'an amendment': {
    path: fireLog,
    who: 'manager',
    heading: 'Fire alarm weekly log',
    act: async (page) => {
      await page.locator('tr[data-entry] a').first().click();
      await page.getByRole('button', { name: 'Amend' }).click();
      await page.getByRole('button', { name: 'Save amendment' }).click();
      await page.getByText(checkMessages.reasonRequired).waitFor();
    },
  },
  'the line of an outlet': {
    path: waterLog,
    who: 'manager',
    heading: 'Water temperature log',
    act: async (page) => {
      await page.getByRole('link', { name: /^Harbour House/ }).click();
      await page.getByRole('link', { name: 'Kitchen sink' }).click();
      await page.getByRole('img', { name: /1 readings/ }).waitFor();
    },
  },
  'the tasks of an operative': {
    path: pages.operativeTasks.path,
    who: 'operative',
    heading: 'Operative Tasks',
    act: (page) => page.getByRole('link', { name: /BS 5839/ }).waitFor(),
  },
  'a fire alarm test': {
    path: `${pages.operativeTasks.path}/fire-alarm`,
    who: 'operative',
    heading: 'Fire alarm test',
    act: async (page) => {
      await atHarbourHouse(page);
      await page.getByRole('button', { name: 'Fail' }).click();
      await page.getByRole('button', { name: /^Record/ }).click();
      await page.getByText(fireAlarmMessages.missingTitle).waitFor();
    },
  },
  'a water temperature check': {
    path: `${pages.operativeTasks.path}/water-temperature`,
    who: 'operative',
    heading: 'Water temperature check',
    act: async (page) => {
      await atHarbourHouse(page);
      await page.getByLabel('Temperature of Kitchen sink', { exact: true }).fill('23.4');
      await page.getByText(formMessages.willRaise).waitFor();
    },
  },
  'a refusal of a held record': {
    path: pages.heldRecords.path,
    who: 'admin',
    heading: heldMessages.title,
    act: async (page) => {
      await page.getByRole('button', { name: /^Refuse/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: heldMessages.refuse }).click();
      await page.getByText(checkMessages.reasonRequired).waitFor();
    },
  },
  'the held records': {
    path: pages.heldRecords.path,
    who: 'admin',
    heading: /Fire alarm test/,
  },
  "what waits of one's own": { path: pages.sync.path, who: 'operative', heading: heldMessages.mine },
  'a schedule': {
    path: pages.schedules.path,
    who: 'admin',
    heading: scheduleMessages.title,
    act: async (page) => {
      await page.getByRole('button', { name: /^Site/ }).click();
      await page.getByRole('option', { name: 'Harbour House' }).click();
      await page.getByRole('button', { name: 'Change: Outlet flushing' }).waitFor();
    },
  },
  'the change of a schedule': {
    path: pages.schedules.path,
    who: 'admin',
    heading: scheduleMessages.title,
    act: async (page) => {
      await page.getByRole('button', { name: /^Site/ }).click();
      await page.getByRole('option', { name: 'Harbour House' }).click();
      await page.getByRole('button', { name: 'Change: Outlet flushing' }).click();
      await page.getByRole('dialog').getByLabel(scheduleMessages.from).waitFor();
    },
  },
  'an outlet flushing': {
    path: `${pages.operativeTasks.path}/outlet-flushing`,
    who: 'operative',
    heading: 'Outlet flushing',
    act: async (page) => {
      await atHarbourHouse(page);
      await page.getByRole('button', { name: 'Could not flush' }).first().click();
      await page.getByRole('button', { name: /^Record/ }).click();
      await page.getByText(outletFlushingMessages.reasonNotFlushed).waitFor();
    },
  },
  'an emergency lighting test': {
    path: `${pages.operativeTasks.path}/emergency-lighting`,
    who: 'operative',
    heading: 'Emergency lighting test',
    act: async (page) => {
      await atHarbourHouse(page);
      await page.getByText('Annual duration').click();
      const sign = page.getByRole('group', { name: 'Result of Exit sign' });
      await sign.getByRole('button', { name: 'Pass' }).click();
      const bulkhead = page.getByRole('group', { name: 'Result of Bulkhead' });
      await bulkhead.getByRole('button', { name: 'Not tested' }).click();
      await page.getByRole('button', { name: /^Record/ }).click();
      await page.getByText(emergencyLightingMessages.supplyRequired).waitFor();
    },
  },
  'a receipt': {
    path: `${pages.operativeTasks.path}/fire-alarm`,
    who: 'operative',
    heading: 'Fire alarm test',
    act: async (page) => {
      await atHarbourHouse(page);
      await page.getByLabel('Test location').fill('Landing');
      await page.getByRole('button', { name: 'Fail' }).click();
      await page.getByRole('button', { name: /^Record/ }).click();
      await page.getByText('Log number').waitFor();
    },
  },
};

/** Selects the site of a record form, unless it is carried over from the form before. */
async function atHarbourHouse(page: Page): Promise<void> {
  const site = page.getByRole('button', { name: /^Site: / });
  await site.waitFor();
  if ((await site.getAttribute('aria-label')) !== 'Site: Harbour House')
    await chooseSite(page, 'Harbour House');
}
