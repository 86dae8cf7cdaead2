import { sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { holdCalls } from '#tests/support/browser/hold-calls.ts';
import { loseConnection } from '#tests/support/browser/lose-connection.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { signInAs } from '#tests/support/rows/factories.ts';
import { card, issueLink, live, openDetails, reportIssues } from '#tests/support/screens/issues-screen.ts';
import { createIssuesSite, type IssuesSite } from '#tests/support/screens/issues-site.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { refuseWith } from '#tests/support/server/refusals.ts';

// Cards and forms of issues: by keyboard, without a connection, and while other people work.

const setting = setUpWebSetting();
let here: IssuesSite;

beforeEach(async () => {
  here = await createIssuesSite(setting);
});

const search = (page: Page) => new URL(page.url()).search;

describe('by keyboard alone', () => {
  test('search, report, walk from card to card, open, move, list the keys', async () => {
    const page = await here.board(here.manager, `?building=${here.harbour.id}`);
    await card(page, 'Open', 'Roof leak').waitFor();
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest('[data-card]')?.querySelector('a')?.textContent);

    await page.keyboard.press('/');
    await page.keyboard.type('o');
    expect(await page.getByLabel('Search issues').inputValue()).toBe('o');
    await page.keyboard.press('Backspace');
    await page.getByText('3 issue(s)').waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate(() =>
      document.activeElement instanceof HTMLElement ? document.activeElement.blur() : 0,
    );

    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.getByText('Search issues').waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });

    await card(page, 'Open', 'Roof leak').getByRole('link').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toContain('Scuffed paint');
    await page.keyboard.press('End');
    await expect.poll(focused).toContain('Lift 2 stuck');
    await page.keyboard.press('Home');
    await expect.poll(focused).toContain('Roof leak');
    await page.keyboard.press('Shift+ArrowRight');
    await card(page, 'In Progress', 'Roof leak').waitFor();
    await expect.poll(focused).toContain('Roof leak');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(focused).toContain('Scuffed paint');

    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: 'Resolved' }).waitFor();
    await page.keyboard.press('Escape');
    await card(page, 'Open', 'Scuffed paint').getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Scuffed paint' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await page.keyboard.press('c');
    const report = page.getByRole('dialog', { name: 'Report New Issue - Harbour House' });
    await expect
      .poll(() => report.getByLabel('Title').evaluate((box) => box === document.activeElement))
      .toBe(true);
    await page.keyboard.type('Typed by hand');
    await page.keyboard.press('Enter');
    await page.getByText(/^Issue \S+ created successfully$/).waitFor();
    await card(page, 'Open', 'Typed by hand').waitFor();
  });
});

describe('an open form', () => {
  test('with changes asks before it closes; without, it just closes', async () => {
    const page = await here.board(here.manager, `?building=${here.harbour.id}`);
    const dialog = await openDetails(page, 'Lift 2 stuck');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await openDetails(page, 'Lift 2 stuck');
    await dialog.getByLabel('Description').fill('Not between floors after all');
    await page.keyboard.press('Escape');
    await dialog.getByText('Discard what you have changed?').waitFor();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    expect(await dialog.getByLabel('Description').inputValue()).toBe('Not between floors after all');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await card(page, 'Open', 'Lift 2 stuck').getByText('Between two floors').waitFor();
  });

  test('that is left while it is being saved moves no one from the page where they are then', async () => {
    const page = await here.board(here.manager, `?building=${here.harbour.id}`);
    const dialog = await openDetails(page, 'Scuffed paint');
    const release = await holdCalls(page, 'issues\\.update');
    await dialog.getByLabel('Description').fill('By the goods lift');
    await dialog.getByRole('button', { name: 'Update Issue' }).click();
    await dialog.getByRole('button', { name: 'Updating...' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const other = await openDetails(page, 'Roof leak');
    await other.getByLabel('Title').fill('Roof leak over stair B');
    release();
    await page.getByText('Issue updated successfully').waitFor();
    expect(await other.getByLabel('Title').inputValue()).toBe('Roof leak over stair B');
    expect(search(page)).toContain('issue=');
  });

  test('of a report has what was typed also after a reload', async () => {
    const page = await here.board(here.manager, `?building=${here.harbour.id}`);
    await card(page, 'Open', 'Roof leak').waitFor();
    await page.keyboard.press('c');
    await page.getByLabel('Title').fill('Half a sentence');
    await page.reload();
    await page.getByRole('dialog').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Half a sentence');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });
});

describe('a comment', () => {
  test('that could not be sent stands in the box again, though the issue was closed meanwhile', async () => {
    const page = await here.board(here.manager, `?building=${here.harbour.id}`);
    const dialog = await openDetails(page, 'Roof leak');
    const release = await holdCalls(page, 'issues\\.comment\\?', refuseWith('not_found'));
    await dialog.getByLabel('Add a comment').fill('Roofer comes on Tuesday.');
    await dialog.getByRole('button', { name: 'Add Comment' }).click();
    await expect.poll(() => dialog.getByLabel('Add a comment').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    release();
    await page.getByText('Failed to add the comment').waitFor();
    await openDetails(page, 'Roof leak');
    expect(await dialog.getByLabel('Add a comment').inputValue()).toBe('Roofer comes on Tuesday.');
  });
});

describe('a report that the server refuses', () => {
  test('says so, and stays as it was typed', async () => {
    const page = await setting.open(here.manager, '/dashboard');
    await live(page);
    await page.route(/\/trpc\/[^?]*issues\.nextReference/, refuseWith('not_found'));
    const release = await holdCalls(page, 'issues\\.create', refuseWith('not_found'));
    await page.getByRole('button', { name: 'Report Issue' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /Choose a building/ }).click();
    await page.getByRole('option', { name: 'Harbour House' }).click();
    await page.getByText('Failed to generate issue reference number').waitFor();
    // The message is beside the field and not in a toast, which would outlast the report.
    expect(await page.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
    await dialog.getByLabel('Title').fill('Gate will not close');
    await dialog.getByRole('button', { name: 'Create Issue' }).click();
    await dialog.getByRole('button', { name: 'Creating...' }).waitFor();
    release();
    await page.getByText('Failed to report issue').waitFor();
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Gate will not close');

    await page.goto(`/building-issues?building=${here.harbour.id}`);
    await page.getByRole('button', { name: 'Report Issue' }).click();
    await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('Gate will not close');
    await dialog.getByRole('button', { name: 'Create Issue' }).click();
    await page.getByText('Failed to create building issue').waitFor();
    // Cancel asks before it discards anything.
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Gate will not close');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });
});

describe('without a connection', () => {
  test('details open from what is there, a move is refused with its reason, and all goes on when it is back', async () => {
    const page = await here.board(here.manager, `?building=${here.harbour.id}`);
    await live(page);
    const issue = card(page, 'Open', 'Lift 2 stuck');
    // Moving the pointer preloads the code that a click will need.
    const fetched = page.waitForResponse(/issue-details.*\.js/);
    await issue.hover();
    await (await fetched).finished();
    await loseConnection(page);
    await page.getByText('Offline').waitFor();
    await issue.getByRole('link').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page
      .getByText('Failed to update building issue. No connection. Your change was not saved.')
      .waitFor();
    await issue.waitFor();
    await issueLink(page, 'Lift 2 stuck').click();
    await page.getByRole('dialog').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('dialog', { name: 'Lift 2 stuck' }).getByLabel('Title').waitFor();
    await live(page);
  });

  test('code that cannot be fetched leaves the page as it is, and a reload brings it', async () => {
    const page = await here.board(here.manager, `?building=${here.harbour.id}`);
    await live(page);
    const code = /assets\/issue-details.*\.js/;
    await page.route(code, (route) => route.abort());
    await issueLink(page, 'Lift 2 stuck').click();
    await page.getByText("The server can't be reached at the moment.").waitFor();
    await card(page, 'Open', 'Lift 2 stuck').waitFor();
    await page.unroute(code);
    await page.getByRole('button', { name: 'Reload' }).click();
    await openDetails(page, 'Lift 2 stuck');
  });
});

describe('two windows', () => {
  test('a card stays in its place while the pointer is on the board', async () => {
    const [ours, theirs] = [
      await here.board(here.manager, `?building=${here.harbour.id}`),
      await here.board(here.admin, `?building=${here.harbour.id}`),
    ];
    await card(theirs, 'Open', 'Roof leak').waitFor();
    await theirs.mouse.move(700, 500);
    await theirs.mouse.move(705, 505);
    await card(ours, 'Open', 'Roof leak').getByRole('link').focus();
    await ours.keyboard.press('Shift+ArrowRight');
    await card(ours, 'In Progress', 'Roof leak').waitFor();
    await theirs.getByText('1 waiting').waitFor();
    expect(await card(theirs, 'Open', 'Roof leak').count()).toBe(1);
    await theirs.mouse.move(700, 10);
    await card(theirs, 'In Progress', 'Roof leak').waitFor();
  });
});

test('earlier comments come page by page, and what is said meanwhile stands at the end', async () => {
  const { server } = setting;
  const title = 'Much talked about';
  const [issueId = ''] = await reportIssues(server, here.manager, here.mill, [{ title }]);
  await server.services.db.execute(sql`
    insert into issue_comments (id, issue_id, building_id, body, author_id, author_name, created_at)
    select gen_random_uuid(), ${issueId}, ${here.mill.id}, 'Remark ' || n, ${here.manager.id},
      'Test Person', now() - interval '1 minute' * (200 - n)
    from generate_series(1, 120) n`);
  const other = createTestClient(server.url, await signInAs(server, here.admin));
  const say = (body: string) =>
    other.issues.comment.mutate({ operationId: uuidv7(), id: uuidv7(), issueId, body });

  const page = await here.board(here.manager, `?building=${here.mill.id}`);
  const details = await openDetails(page, title);
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
