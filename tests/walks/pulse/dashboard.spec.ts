import { beforeEach, expect, test } from 'vitest';
import { pulseMessages } from '#shared/features/pulse/pulse-messages.ts';
import type { Role } from '#shared/permissions.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson } from '#tests/support/rows/factories.ts';
import { pageCard, panel, reportAt } from '#tests/support/screens/dashboard-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// The figures in the cards of each role, and the charts below the cards.

const setting = setUpWebSetting({ clock: dayClock() });
let here: TasksSite;

beforeEach(async () => {
  here = await createTasksSite(setting);
});

type Expected = { figures: Readonly<Record<string, string>>; pictures: readonly string[] };

const { weeksTitle, checksTitle, complianceTitle } = pulseMessages;
const EXPECTED: Readonly<Record<Exclude<Role, 'admin'>, Expected>> = {
  manager: {
    figures: {
      'Log Book': 'none overdue',
      'Operative Tasks': '1due',
      Locations: '1building',
      'Building Issues': '2open1critical',
    },
    pictures: [weeksTitle, checksTitle, complianceTitle],
  },
  operative: { figures: { 'Operative Tasks': '1due' }, pictures: [checksTitle, complianceTitle] },
  viewer: {
    figures: { 'Safety Check Logbook': 'none overdue', 'Building Issues': '2open1critical' },
    pictures: [weeksTitle, checksTitle, complianceTitle],
  },
};

test('the cards of each role hold their figures, and the panel what the role may see', async () => {
  await reportAt(setting, here, 'low');
  await reportAt(setting, here, 'critical');
  await here.tasks.add('weekly test');
  for (const [role, { figures, pictures }] of Object.entries(EXPECTED)) {
    const person = await createPerson(setting.server.services, { role, buildings: [here.site.id] });
    const page = await setting.open(person, '/dashboard');
    for (const [title, figure] of Object.entries(figures)) {
      await expect.poll(async () => (await pageCard(page, title).textContent())?.endsWith(figure)).toBe(true);
    }
    const shown = panel(page).getByRole('heading', { level: 3 });
    await shown.first().waitFor();
    expect(await shown.allTextContents()).toEqual(pictures);
    const link = panel(page).getByRole('link', { name: new RegExp(`^${here.site.name}.*0%$`) });
    expect(await link.getAttribute('href')).toBe(`/compliance-details?building=${here.site.id}`);
  }
});
