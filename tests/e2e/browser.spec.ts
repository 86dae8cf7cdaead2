import { afterEach, expect, test, vi } from 'vitest';
import { findChromium, launchBrowser } from '#tests/support/browser.ts';

afterEach(() => vi.unstubAllEnvs());

test('the browser of these tests draws a page', async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 200, height: 100 } });
    await page.goto('data:text/html,<title>Lintel</title><button>Report issue</button>');
    expect(await page.title()).toBe('Lintel');
    await page.getByRole('button', { name: 'Report issue' }).click();
    const picture = await page.screenshot();
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
  } finally {
    await browser.close();
  }
});

test('one that is named and cannot be started is refused with a sentence', async () => {
  vi.stubEnv('CHROMIUM', '/no/such/chromium');
  await expect(findChromium()).rejects.toThrow(
    'CHROMIUM is /no/such/chromium, which is not a program that can be started.',
  );
});
