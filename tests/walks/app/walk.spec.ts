import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, createPerson, TEST_PASSWORD } from '#tests/support/rows/factories.ts';
import { card, openDetails, reportByHand } from '#tests/support/screens/issues-screen.ts';

const setting = setUpWebSetting();

beforeAll(async () => {
  const { services } = setting.server;
  await createBuilding(services, { name: 'Harbour House', code: 'HAR' });
  await createPerson(services, { role: 'admin', email: 'ada@example.com', password: TEST_PASSWORD });
});

/** Collects the page's policy violations, errors, and console errors and warnings. */
async function complaintsOf(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  await page.exposeFunction('complain', (text: string) => complaints.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      Reflect.get(window, 'complain')(`policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      complaints.push(`${message.type()}: ${message.text()} ${message.location().url}`);
    }
  });
  return complaints;
}

test('through the whole product nothing breaks the policy of the page and nothing is written to the console', async () => {
  // With the service worker, as in normal use.
  const page = await setting.open(null, 'about:blank', { serviceWorkers: 'allow' });
  const complaints = await complaintsOf(page);

  await page.goto('/');
  await page.getByRole('button', { name: 'Learn More' }).click();
  await page.getByRole('link', { name: 'Sign In' }).click();
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await page.goto('/no-such-page');
  await page.getByText('Oops! Page not found').waitFor();
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await page.waitForURL(`${setting.server.url}/`);
  await page.goto('/building-issues');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/building-issues');
  await page.getByRole('button', { name: 'Building: Harbour House' }).waitFor();
  await reportByHand(page, 'Harbour House', 'Lift 2 stuck');
  await card(page, 'Open', 'Lift 2 stuck').waitFor();
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByRole('option', { name: 'Open' }).click();
  await page.keyboard.press('Escape');
  for (const view of ['Cards', 'List', 'Board']) await page.getByTitle(view).click();
  const details = await openDetails(page, 'Lift 2 stuck');
  await details.getByLabel('Add a comment').fill('Engineer is on site');
  await details.getByRole('button', { name: 'Add Comment' }).click();
  await details.getByRole('listitem').filter({ hasText: 'Engineer is on site' }).waitFor();
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'User Management' }).click();
  await page.getByRole('article').first().waitFor();
  await page.reload();
  await page.getByRole('article').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await page.goto('/unauthorized');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByText('You have been signed out successfully.').waitFor();

  expect(complaints).toEqual([]);
  // Proves that the collector works: a script forbidden by the policy is reported.
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = '1';
    document.body.append(script);
  });
  await expect.poll(() => complaints.some((text) => text.startsWith('policy: script-src'))).toBe(true);
});
