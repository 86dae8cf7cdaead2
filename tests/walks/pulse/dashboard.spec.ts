import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { pulseMessages } from '#shared/features/pulse-messages.ts';
import type { Role } from '#shared/permissions.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson } from '#tests/support/rows/factories.ts';
import { live, reportIssues } from '#tests/support/screens/issues-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// The figures in the cards of each role, and the pictures below them.

let setting: WebSetting;
let here: TasksSite;

beforeAll(async () => {
  setting = await createWebSetting({ clock: dayClock() });
});
beforeEach(async () => {
  here = await createTasksSite(setting);
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const report = (priority: 'low' | 'critical') =>
  reportIssues(setting.server, here.manager, here.site, [{ title: 'Lift 2 stuck', priority }]);
const card = (page: Page, title: string) =>
  page.getByRole('main').getByRole('link').filter({ hasText: title });
const panel = (page: Page) => page.getByRole('region', { name: pulseMessages.panel });

type Expected = { figures: Readonly<Record<string, string>>; pictures: readonly string[] };

const { weeksTitle, checksTitle, complianceTitle } = pulseMessages;
const EXPECTED: Readonly<Record<Exclude<Role, 'admin'>, Expected>> = {
  manager: {
    figures: {
      'Log Book': 'none missed',
      'Operative Tasks': '1due',
      Locations: '1building',
      'Building Issues': '2open1critical',
    },
    pictures: [weeksTitle, checksTitle, complianceTitle],
  },
  operative: { figures: { 'Operative Tasks': '1due' }, pictures: [checksTitle, complianceTitle] },
  viewer: {
    figures: { 'Safety Check Logbook': 'none missed', 'Building Issues': '2open1critical' },
    pictures: [weeksTitle, checksTitle, complianceTitle],
  },
};

test.each(Object.entries(EXPECTED))(
  'the cards of a %s hold their figures, and the panel what the role may see',
  async (role, { figures, pictures }) => {
    await report('low');
    await report('critical');
    await here.tasks.add('weekly test');
    const person = await createPerson(setting.server.services, { role, buildings: [here.site.id] });
    const page = await setting.open(person, '/dashboard');
    for (const [title, figure] of Object.entries(figures)) {
      await expect.poll(async () => (await card(page, title).textContent())?.endsWith(figure)).toBe(true);
    }
    const shown = panel(page).getByRole('heading', { level: 3 });
    await shown.first().waitFor();
    expect(await shown.allTextContents()).toEqual(pictures);
    const link = panel(page).getByRole('link', { name: new RegExp(`^${here.site.name}.*0 %$`) });
    expect(await link.getAttribute('href')).toBe(`/compliance-details?building=${here.site.id}`);
  },
);

test('figures follow what others do, and no list is read again', async () => {
  const page = await setting.open(here.manager, '/dashboard');
  const issues = card(page, 'Building Issues');
  await issues.getByText('none open').waitFor();
  await panel(page).getByText(pulseMessages.weeksText(0, 0)).waitFor();
  await live(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/trpc/pulse.')) asked.push(request.url());
  });
  const [id = ''] = await report('critical');
  await expect.poll(() => issues.textContent()).toMatch(/1open1critical$/);
  await panel(page).getByText(pulseMessages.weeksText(1, 0)).waitFor();
  const assignedTo = { from: null, to: here.manager.id };
  await here.client.issues.update.mutate({ operationId: crypto.randomUUID(), id, changes: { assignedTo } });
  await issues.getByText('waiting for you').waitFor();
  const status = { from: 'open', to: 'closed' } as const;
  await here.client.issues.update.mutate({ operationId: crypto.randomUUID(), id, changes: { status } });
  await issues.getByText('none open').waitFor();
  await panel(page).getByText(pulseMessages.weeksText(1, 1)).waitFor();
  const made = await here.tasks.add('weekly test');
  const building = panel(page).getByRole('link', { name: new RegExp(here.site.name) });
  await building.getByText('0 %').waitFor();
  await here.tasks.complete(made);
  await building.getByText('100 %').waitFor();
  expect(asked).toEqual([]);
});
