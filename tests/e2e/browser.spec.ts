import { expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';

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
