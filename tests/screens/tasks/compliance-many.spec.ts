import postgres from 'postgres';
import { expect, test } from 'vitest';
import { createWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson } from '#tests/support/rows/factories.ts';
import { createManyTasks } from '#tests/support/rows/many-tasks.ts';
import { COMPLIANCE } from '#tests/support/screens/tasks-screen.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();

test('two thousand buildings scroll: only those in sight are drawn, and the last is reached', async () => {
  const setting = await createWebSetting({ clock });
  const sql = postgres(setting.database.ownerUrl);
  await createManyTasks(sql, { perBuilding: 2, buildings: 2_000, now: clock.now() });
  await sql.end();
  const admin = await createPerson(setting.server.services, { role: 'admin' });
  const page = await setting.open(admin, `${COMPLIANCE}?building=all`);
  const rows = page.locator('[data-site]');
  await rows.first().waitFor();
  const count = Number(await page.getByRole('table').getAttribute('aria-rowcount'));
  expect(count).toBeGreaterThan(1_900);
  expect(await rows.count()).toBeLessThan(60);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.locator(`[data-site][aria-rowindex="${count}"]`).waitFor();
  expect(await rows.count()).toBeLessThan(60);
  await setting.end();
});
