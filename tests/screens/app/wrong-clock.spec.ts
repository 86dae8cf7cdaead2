import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { dayOf } from '#shared/dates.ts';
import { moveClock, PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, type TestPerson } from '#tests/support/rows/factories.ts';
import { group, record } from '#tests/support/screens/check-form.ts';
import { type ChecksSite, createChecksSite } from '#tests/support/screens/checks-site.ts';
import { issueLink, openDetails, reportIssues } from '#tests/support/screens/issues-screen.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// A device whose clock is days off shows times left, ages and the current day like a device with a correct clock.

const DAY_MS = 86_400_000;
const clock = dayClock();

const setting = setUpWebSetting({ clock });
let here: ChecksSite;
let manager: TestPerson;

beforeAll(async () => {
  here = await createChecksSite(setting);
  manager = await createPerson(setting.server.services, { role: 'manager', buildings: [here.harbour.id] });
  await reportIssues(setting.server, manager, here.harbour, [
    { title: 'Lift 2 stuck', priority: 'critical' },
  ]);
});

/** Opens a page on a device whose clock is ahead by this time. */
async function openAhead(byMs: number, person: TestPerson, path: string, options = {}): Promise<Page> {
  const page = await setting.open(person, 'about:blank', options);
  await page.context().addInitScript(moveClock, byMs + setting.server.clockOffsetMs);
  await page.goto(path);
  return page;
}

describe.each([
  ['two days slow', -2 * DAY_MS],
  ['two days fast', 2 * DAY_MS],
])('on a device %s', (_what, byMs) => {
  test('an issue has as much time left as on any other, and is as old', async () => {
    const path = `/building-issues?building=${here.harbour.id}`;
    const right = await setting.open(manager, path);
    const wrong = await openAhead(byMs, manager, path);
    const left = (page: Page) =>
      issueLink(page, 'Lift 2 stuck').locator('xpath=ancestor::article').textContent();
    await expect.poll(() => left(right)).toMatch(/\d+[hm] left/);
    await expect.poll(async () => (await left(wrong)) === (await left(right))).toBe(true);
    const [one, other] = [await openDetails(right, 'Lift 2 stuck'), await openDetails(wrong, 'Lift 2 stuck')];
    const ages = async (details: Locator) => (await details.locator('time').allInnerTexts()).join();
    await expect.poll(async () => (await ages(other)) === (await ages(one))).toBe(true);
  });

  test('a new asset was visited today', async () => {
    const page = await openAhead(byMs, manager, `/asset-management?building=${here.harbour.id}`);
    await expect.poll(() => page.getByLabel('Last Visit').inputValue()).toBe(dayOf(clock.now()));
  });

  test('a form that was just opened is of today, and does not ask when its readings were taken', async () => {
    const person = await here.aisha();
    const path = `/operative-tasks/emergency-lighting?site=${here.harbour.id}`;
    const page = await openAhead(byMs, person, path, PHONE);
    await expect.poll(() => page.getByLabel('Date').inputValue()).toBe(dayOf(clock.now()));
    for (const light of ['Exit sign', 'Bulkhead'])
      await group(page, `Result of ${light}`).getByRole('button', { name: 'Pass' }).click();
    await page.getByLabel('Supply restored, charge indicators on').check();
    await page.getByText(/^Draft saved/).waitFor();
    expect(await page.getByText(/When did you take these readings/).count()).toBe(0);
    await record(page);
    await page.getByText('Log number').waitFor();
    const days = await setting.server.services.db
      .select({ day: operativeVisits.visitDate })
      .from(operativeVisits)
      .where(eq(operativeVisits.recordedBy, person.id));
    expect(days).toEqual([{ day: dayOf(clock.now()) }]);
  });
});
