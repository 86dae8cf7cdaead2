import postgres from 'postgres';
import { beforeAll, describe, expect, test } from 'vitest';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, type TestPerson } from '#tests/support/rows/factories.ts';
import { createManyIssues } from '#tests/support/rows/many-issues.ts';
import { column, live, scrollBoard } from '#tests/support/screens/issues-screen.ts';

const ISSUES = 100_000;
const BUILDINGS = 2_000;
const MOST_CARDS = 60;
const FRAMES = 300;

const setting = setUpWebSetting();
let admin: TestPerson;

beforeAll(async () => {
  const sql = postgres(setting.database.ownerUrl, { max: 1, onnotice: () => undefined });
  await createManyIssues(sql, { issues: ISSUES, buildings: BUILDINGS, now: new Date() });
  await sql.end();
  admin = await createPerson(setting.server.services, { role: 'admin' });
}, 180_000);

describe('with 100,000 issues', () => {
  test('counts are true; however far one scrolls, few cards are mounted', async () => {
    const page = await setting.open(admin, '/building-issues?building=all');
    await live(page);
    await column(page, 'Closed').getByRole('article').first().waitFor();
    await page.getByText(`${ISSUES} issue(s)`).waitFor();
    const seen = await scrollBoard(page, FRAMES);
    expect(seen.reached).toBeGreaterThan(5_000);
    expect(seen.most).toBeGreaterThan(3);
    expect(seen.most).toBeLessThanOrEqual(MOST_CARDS);
  });

  test('the list and the cards mount only what is in sight, and a search reaches far back', async () => {
    const page = await setting.open(admin, '/building-issues?building=all&view=list');
    await page.getByRole('row').nth(5).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThanOrEqual(MOST_CARDS);
    await page.getByTitle('Cards').click();
    await page.getByRole('article').first().waitFor();
    expect(await page.getByRole('article').count()).toBeLessThanOrEqual(MOST_CARDS);
    await page.getByLabel('Search issues').fill('visit 77777');
    await page.getByText(`Showing 1 of ${ISSUES} issues`).waitFor();
  });
});
