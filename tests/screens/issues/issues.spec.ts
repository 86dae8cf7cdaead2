import { sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { openDetails, reportIssues } from '#tests/support/screens/issues-screen.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import type { TestServer } from '#tests/support/server/server.ts';

let setting: WebSetting;
let server: TestServer;
let building: TestBuilding;
let manager: TestPerson;
let colleague: TestPerson;
let viewer: TestPerson;

beforeAll(async () => {
  setting = await createWebSetting();
  ({ server } = setting);
  building = await createBuilding(server.services, { name: 'Harbour House', code: 'HAR' });
  const buildings = [building.id];
  manager = await createPerson(server.services, { role: 'manager', buildings, firstName: 'Maya' });
  colleague = await createPerson(server.services, { role: 'manager', buildings, firstName: 'Cole' });
  viewer = await createPerson(server.services, { role: 'viewer', buildings, firstName: 'Vera' });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

async function openBoard(person: TestPerson, query = ''): Promise<Page> {
  const page = await setting.window(person);
  await page.goto(`/building-issues${query}`);
  await page.getByRole('heading', { level: 1, name: 'Building Issues' }).waitFor();
  return page;
}

async function report(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Report Issue' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report New Issue - Harbour House' });
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByRole('button', { name: 'Create Issue' }).click();
  await page
    .getByText(/^Issue HAR-\d{4} created successfully$/)
    .first()
    .waitFor();
  await dialog.waitFor({ state: 'hidden' });
}

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const card = (page: Page, name: string, title: string) =>
  column(page, name).getByRole('article').filter({ hasText: title });

describe('two windows on the board', () => {
  test('a card stays in its place while the pointer is on the board', async () => {
    const [ours, theirs] = [await openBoard(manager), await openBoard(colleague)];
    await report(ours, 'Gate hinge');
    await card(theirs, 'Open', 'Gate hinge').waitFor();
    await theirs.mouse.move(700, 500);
    await theirs.mouse.move(705, 505);
    await card(ours, 'Open', 'Gate hinge').getByRole('link').focus();
    await ours.keyboard.press('Shift+ArrowRight');
    await card(ours, 'In Progress', 'Gate hinge').waitFor();
    await theirs.getByText('1 waiting').waitFor();
    expect(await card(theirs, 'Open', 'Gate hinge').count()).toBe(1);
    await theirs.mouse.move(700, 10);
    await card(theirs, 'In Progress', 'Gate hinge').waitFor();
  });
});

test('earlier comments come page by page, and what is said meanwhile stands at the end', async () => {
  const [issueId = ''] = await reportIssues(server, manager, building, [{ title: 'Much talked about' }]);
  await server.services.db.execute(sql`
    insert into issue_comments (id, issue_id, building_id, body, author_id, author_name, created_at)
    select gen_random_uuid(), ${issueId}, ${building.id}, 'Remark ' || n, ${manager.id},
      'Test Person', now() - interval '1 minute' * (200 - n)
    from generate_series(1, 120) n`);
  const other = createTestClient(server.url, await signInAs(server, colleague));
  const say = (body: string) =>
    other.issues.comment.mutate({ operationId: uuidv7(), id: uuidv7(), issueId, body });

  const page = await openBoard(viewer);
  const details = await openDetails(page, 'Much talked about');
  const comments = details.getByRole('region', { name: 'Comments' });
  const said = comments.getByRole('listitem');
  const earlier = comments.getByRole('button', { name: 'Show earlier comments' });
  await comments.getByText('50+').waitFor();
  await said.first().getByText('Remark 71', { exact: true }).waitFor();

  // Holds the page being loaded until the other person's comment is shown.
  await page.route(/trpc\/.*issues\.comments/, async (route) => {
    await comments.getByText('Said meanwhile').waitFor();
    await route.continue();
  });
  await earlier.click();
  await say('Said meanwhile');
  await comments.getByText('101+').waitFor();
  await said.first().getByText('Remark 21', { exact: true }).waitFor();
  await said.last().getByText('Said meanwhile').waitFor();

  await earlier.click();
  await said.first().getByText('Remark 1', { exact: true }).waitFor();
  expect(await said.count()).toBe(121);
  expect(await earlier.count()).toBe(0);
  await say('And afterwards');
  await said.last().getByText('And afterwards').waitFor();
});

describe('the address', () => {
  test('a report that is asked for before the buildings are known goes to the only one', async () => {
    const page = await setting.window(manager);
    await page.goto('/building-issues?report=choose');
    await page
      .getByRole('dialog', { name: 'Report New Issue - Harbour House' })
      .getByLabel('Title')
      .waitFor();
  });
});
