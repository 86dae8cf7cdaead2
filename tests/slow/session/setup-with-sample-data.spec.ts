import { expect, test } from 'vitest';
import { makeSetupCode } from '#server/accounts/setup-code.ts';
import { createWebSetting } from '#tests/support/browser/web-setting.ts';
import { PATIENCE } from '#tests/support/patience.ts';

test('sample data: the accounts are shown, and one of them signs in to a portfolio', async () => {
  const setting = await createWebSetting();
  try {
    const { services } = setting.server;
    const once = await makeSetupCode(services.db, services.clock.now().toISOString());
    const page = await setting.open(null, `/setup?code=${once}`);
    await page.getByRole('button', { name: 'Explore with sample data' }).click();
    await page
      .getByText('The sample data is ready. Sign in as one of these people.')
      // A whole portfolio is written in one transaction, which takes seconds even if nothing else runs.
      .waitFor({ timeout: 2 * PATIENCE.timeout });
    const rows = page.getByRole('table', { name: 'Sample accounts' }).getByRole('row');
    expect(await rows.count()).toBe(5);
    const email = (await rows.filter({ hasText: 'manager' }).getByRole('cell').nth(1).textContent()) ?? '';
    const password = (await page.locator('code').textContent()) ?? '';
    await page.getByRole('link', { name: 'Sign In' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL('**/dashboard');
    await page.goto('/building-issues?building=all');
    await page.getByRole('article').first().waitFor();
  } finally {
    await setting.end();
  }
}, 120_000);
