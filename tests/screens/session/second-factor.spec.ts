import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SIGN_IN_DEFAULTS } from '#server/kernel/sign-in/sign-in-file.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, TEST_PASSWORD } from '#tests/support/rows/factories.ts';
import { fillIn } from '#tests/support/screens/sign-in.ts';
import { type TestClock, testClock } from '#tests/support/server/clock.ts';
import { codeOf, TOTP_STEP_MS } from '#tests/support/sign-in/authenticator-app.ts';

// 2-step verification as people see it. Managers need it here; operatives may turn it on.

const words = secondFactorMessages;
let setting: WebSetting;
let clock: TestClock;

beforeAll(async () => {
  clock = testClock();
  const signIn = { ...SIGN_IN_DEFAULTS, secondFactor: ['manager' as const] };
  setting = await createWebSetting({ clock, signIn });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

async function signInPage(): Promise<Page> {
  const page = await setting.window(null);
  await page.goto('/auth/login');
  return page;
}

/** Reads the key under the QR code. */
async function secretOn(page: Page): Promise<string> {
  await page.getByRole('img', { name: words.qr }).waitFor();
  return ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
}

const enterCode = async (page: Page, label: string, code: string) => {
  await page.getByLabel(label, { exact: true }).fill(code);
  await page.keyboard.press('Enter');
};

test('a manager sets it up at the first sign-in, and is asked for a code at the next', async () => {
  const person = await createPerson(setting.server.services, { role: 'manager', password: TEST_PASSWORD });
  const page = await signInPage();
  await fillIn(page, person.email, TEST_PASSWORD);
  await page.getByText(words.enrolText).waitFor();
  const secret = await secretOn(page);
  await enterCode(page, words.firstCode, '000000');
  await page.getByText(words.codeWrong).waitFor();
  await enterCode(page, words.firstCode, codeOf(secret, clock.now()));
  const codes = page.getByRole('list', { name: words.codesTitle }).getByRole('listitem');
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  const [recovery = ''] = await codes.allTextContents();
  await page.getByRole('button', { name: words.saved }).click();
  await page.waitForURL('**/dashboard');

  clock.advance(TOTP_STEP_MS);
  const phone = await signInPage();
  await fillIn(phone, person.email, TEST_PASSWORD);
  await enterCode(phone, words.code, codeOf(secret, clock.now()));
  await phone.waitForURL('**/dashboard');

  const lost = await signInPage();
  await fillIn(lost, person.email, TEST_PASSWORD);
  await lost.getByRole('button', { name: words.useRecovery }).click();
  await enterCode(lost, words.recoveryCode, recovery);
  await lost.waitForURL('**/dashboard');
});

test('is turned on and off under My Account, and reset by an administrator', async () => {
  const names = { firstName: 'Odd', lastName: 'Phone' };
  const person = await createPerson(setting.server.services, {
    ...{ role: 'operative', password: TEST_PASSWORD },
    ...names,
  });
  const page = await setting.open(person, '/account');
  await page.getByText(words.off).waitFor();
  await turnOn(page);
  await page.getByText(words.codesLeft(10)).waitFor();
  await page.getByRole('button', { name: words.turnOff }).click();
  const question = page.getByRole('dialog', { name: words.turnOffQuestion });
  await question.getByRole('button', { name: words.turnOff }).click();
  await page.getByText(words.off).waitFor();

  clock.advance(TOTP_STEP_MS);
  await turnOn(page);
  const admin = await createPerson(setting.server.services, { role: 'admin' });
  const people = await setting.open(admin, '/user-management');
  await people.getByRole('button', { name: 'Actions for Odd Phone' }).click();
  await people.getByRole('menuitem', { name: words.reset }).click();
  const reset = people.getByRole('dialog', { name: words.resetQuestion });
  await reset.getByText(words.resetText('Odd Phone')).waitFor();
  await reset.getByRole('button', { name: 'Reset' }).click();
  await people.getByText(words.resetDone).waitFor();
  await page.waitForURL('**/auth/login');
});

async function turnOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: words.turnOn }).click();
  const secret = await secretOn(page);
  await enterCode(page, words.firstCode, codeOf(secret, clock.now()));
  // The codes are not shown again, so Escape asks first.
  await page.getByRole('button', { name: words.saved }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText(words.leaveQuestion).waitFor();
  await page.getByRole('button', { name: words.leaveStay }).click();
  await page.getByRole('button', { name: words.saved }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
