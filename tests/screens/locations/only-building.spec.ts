import { expect, test } from 'vitest';
import { scheduleMessages } from '#shared/features/checks/schedule-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, createPerson } from '#tests/support/rows/factories.ts';
import { pages } from '#web/app/pages.ts';

const setting = setUpWebSetting();

test('an administrator of a single building need not choose it, and may see all sites', async () => {
  const { services } = setting.server;
  const building = await createBuilding(services, { name: 'Harbour House' });
  const admin = await createPerson(services, { role: 'admin' });
  const page = await setting.open(admin, pages.schedules.path);
  const picker = page.getByRole('button', { name: /: Harbour House$/ });
  await picker.waitFor();
  await page.getByRole('button', { name: 'Change: Outlet flushing' }).waitFor();
  for (const { path } of [pages.documents, pages.compliance, pages.buildingIssues]) {
    await page.goto(path);
    await picker.waitFor();
  }
  await picker.click();
  await page.getByRole('option', { name: 'View All Sites' }).click();
  await page.getByRole('button', { name: 'Building: View All Sites' }).waitFor();

  // With a second building, a browser without an earlier choice asks.
  await createBuilding(services, { name: 'Ferry Hall', clientId: building.clientId });
  const other = await setting.open(admin, pages.schedules.path);
  await other.getByText(scheduleMessages.chooseSite).waitFor();
  expect(await other.getByRole('button', { name: /^Change:/ }).count()).toBe(0);
});
