import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { buildingIssues } from '#db/schema/issues.ts';
import { holdCalls } from '#tests/support/browser/hold-calls.ts';
import { withoutPointerLeave } from '#tests/support/browser/lost-leave.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, createPerson } from '#tests/support/rows/factories.ts';
import {
  card,
  column,
  issueLink,
  live,
  openDetails,
  reportIssues,
} from '#tests/support/screens/issues-screen.ts';
import { createIssuesSite, type IssuesSite } from '#tests/support/screens/issues-site.ts';
import { refuseWith } from '#tests/support/server/refusals.ts';

const setting = setUpWebSetting();
let here: IssuesSite;

beforeEach(async () => {
  here = await createIssuesSite(setting);
});

/** The pixels between the end of a text and the end of the box around it; negative for a text that is cut. */
const roomBeside = (text: Element, box: string) =>
  (text.closest(box)?.getBoundingClientRect().right ?? 0) - text.getBoundingClientRect().right;
function linesOf(text: Element): number {
  const range = document.createRange();
  range.selectNodeContents(text);
  return range.getClientRects().length;
}
const search = (page: Page) => new URL(page.url()).search;

describe('choosing', () => {
  test('at a site without issues there is one thing to do', async () => {
    const { services } = setting.server;
    const empty = await createBuilding(services, { name: 'Empty Hall' });
    const page = await here.board(await createPerson(services, { role: 'manager', buildings: [empty.id] }));
    await page.getByRole('heading', { name: 'No Issues Found' }).waitFor();
    await page.getByText('0 issue(s)').waitFor();
    await page.getByRole('button', { name: 'Report First Issue' }).click();
    const dialog = page.getByRole('dialog', { name: 'Report New Issue - Empty Hall' });
    await dialog.getByRole('button', { name: 'Create Issue' }).click();
    await dialog.getByText('Title is required').waitFor();
    expect(await dialog.getByLabel('Priority').inputValue()).toBe('medium');
  });

  test('an administrator may see all sites together', async () => {
    const office = await here.board(here.admin);
    await office.getByRole('button', { name: 'Building: Select a building' }).click();
    await office.getByRole('option', { name: 'View All Sites' }).waitFor();
  });
});

test('the board holds new cards back while the pointer is over it, and no longer', async () => {
  const page = await here.board(here.manager, `?building=${here.harbour.id}`);
  await live(page);
  await column(page, 'Open').hover();
  await reportIssues(setting.server, here.admin, here.harbour, [{ title: 'Lift stuck' }]);
  await page.getByText('1 waiting').waitFor();
  expect(await card(page, 'Open', 'Lift stuck').count()).toBe(0);
  await withoutPointerLeave(page);
  await page.mouse.move(0, 0);
  await card(page, 'Open', 'Lift stuck').waitFor();
});

describe('the address', () => {
  test('gives the same screen after a reload, on the way back, and to a colleague', async () => {
    const query = `?building=${here.harbour.id}&view=list&priority=critical,low&q=s`;
    const page = await here.board(here.manager, query);
    const rows = page.getByRole('row');
    await page.getByText('Showing 1 of 3 issues').waitFor();
    await rows.filter({ hasText: 'Scuffed paint' }).getByRole('link').click();
    const dialog = page.getByRole('dialog', { name: 'Scuffed paint' });
    await dialog.waitFor();
    await page.reload();
    await dialog.waitFor();
    expect(await page.getByLabel('Search issues').inputValue()).toBe('s');
    await page.goBack();
    await dialog.waitFor({ state: 'hidden' });
    expect(search(page)).toBe(query);
    await page.goForward();
    await dialog.waitFor();

    const colleague = await setting.open(here.admin, page.url());
    await colleague.getByRole('dialog', { name: 'Scuffed paint' }).waitFor();
    await colleague.keyboard.press('Escape');
    await colleague.getByText('Showing 1 of 3 issues').waitFor();
  });

  test('a report that is asked for before the buildings are known goes to the only one', async () => {
    const { services } = setting.server;
    const person = await createPerson(services, { role: 'manager', buildings: [here.harbour.id] });
    const page = await here.board(person, '?report=choose');
    await page
      .getByRole('dialog', { name: 'Report New Issue - Harbour House' })
      .getByLabel('Title')
      .waitFor();
  });
});

describe('waiting and failing', () => {
  test('a card that is on the screen opens while the server does not answer', async () => {
    const page = await here.board(here.manager, `?building=${here.harbour.id}`);
    await issueLink(page, 'Roof leak').waitFor();
    await page.route(/\/trpc\/[^?]*issues\.get/, refuseWith('internal'));
    await issueLink(page, 'Roof leak').click();
    const dialog = page.getByRole('dialog', { name: 'Roof leak' });
    await dialog.getByLabel('Title').waitFor();
    expect(await dialog.getByText('Failed to fetch building issues').count()).toBe(0);
  });

  test('a card that was just moved opens in its new status while the server does not answer', async () => {
    const page = await here.board(here.manager, `?building=${here.harbour.id}`);
    const issue = card(page, 'Open', 'Scuffed paint');
    await issue.waitFor();
    const release = await holdCalls(page, 'issues\\.(update|get)');
    await issue.hover();
    await issue.getByRole('button', { name: new RegExp(`^Move ${here.harbour.code}-`) }).click();
    await page.getByRole('menuitem', { name: 'Resolved' }).click();
    await page.mouse.move(0, 0);
    await card(page, 'Resolved', 'Scuffed paint').waitFor();
    const status = (await openDetails(page, 'Scuffed paint')).getByLabel('Status');
    expect(await status.inputValue()).toBe('resolved');
    release();
    // The server has answered both: the form shows the same.
    await page.getByText('No comments yet.').waitFor();
    expect(await status.inputValue()).toBe('resolved');
  });

  test('the person is not asked to choose a building before the buildings are known', async () => {
    const page = await setting.open(here.manager, '/dashboard');
    const release = await holdCalls(page, 'locations\\.mine');
    await page.goto('/building-issues');
    await page.locator('[data-skeleton]').first().waitFor();
    expect(await page.getByRole('heading', { name: 'Select a Building' }).count()).toBe(0);
    release();
    await page.getByText('Select a Building').first().waitFor();
  });

  test('six placeholder cards stand where the cards will be', async () => {
    const page = await setting.open(here.manager, '/dashboard');
    const release = await holdCalls(page, 'issues\\.list');
    await page.goto(`/building-issues?building=${here.harbour.id}`);
    await page.locator('[data-skeleton]').first().waitFor();
    expect(await page.locator('[data-skeleton]').count()).toBe(6);
    release();
    await issueLink(page, 'Lift 2 stuck').waitFor();
    expect(await page.locator('[data-skeleton]').count()).toBe(0);
  });

  test('a list that cannot be read says so, and Try again reads it', async () => {
    const page = await setting.open(here.manager, '/dashboard');
    await live(page);
    const broken = /\/trpc\/[^?]*issues\./;
    await page.route(broken, (route) => route.abort());
    await page
      .getByRole('main')
      .getByRole('link', { name: /Building Issues/ })
      .click();
    await page.getByRole('button', { name: /^Building:/ }).click();
    await page.getByRole('option', { name: 'Harbour House' }).click();
    const again = page.getByRole('button', { name: 'Try again' }).first();
    await again.waitFor();
    await page.getByText('Failed to fetch building issues').first().waitFor();
    await page.unroute(broken);
    await again.click();
    await issueLink(page, 'Lift 2 stuck').waitFor();
  });
});

test('the board has the columns that are asked for, and no others', async () => {
  const page = await here.board(here.admin, `?building=${here.harbour.id}&status=open,resolved`);
  await issueLink(page, 'Lift 2 stuck').waitFor();
  await column(page, 'Open').waitFor();
  await column(page, 'Resolved').waitFor();
  expect(await column(page, 'In Progress').count()).toBe(0);
});

describe('the longest clocks', () => {
  beforeEach(async () => {
    const { db } = setting.server.services;
    const resolvedAt = new Date();
    const createdAt = new Date(resolvedAt.getTime() - 23 * 3_600_000 - 59 * 60_000).toISOString();
    const due = new Date(resolvedAt.getTime() + 86_400_000).toISOString();
    const clock = { createdAt, resolveDueAt: due };
    const closed = { status: 'closed', resolvedAt: resolvedAt.toISOString() } as const;
    const paused = { pauseReason: 'contractor', pausedAt: createdAt, assignedTo: here.manager.id } as const;
    await db
      .update(buildingIssues)
      .set({ ...clock, ...closed })
      .where(eq(buildingIssues.title, 'Scuffed paint'));
    await db
      .update(buildingIssues)
      .set({ ...clock, ...paused })
      .where(eq(buildingIssues.title, 'Roof leak'));
  });

  test.each([1440, 1280, 768])('have room in the list at %d', async (width) => {
    const viewport = { width, height: 900 };
    const page = await here.board(here.manager, `?building=${here.harbour.id}&view=list`, { viewport });
    for (const text of ['Waiting for a contractor', 'Resolved in 23h 59m']) {
      const clock = page.getByText(text, { exact: true });
      expect(await clock.evaluate(roomBeside, 'td')).toBeGreaterThanOrEqual(0);
    }
  });

  test('and the reference have room on the board of a tablet', async () => {
    const viewport = { width: 768, height: 1024 };
    const page = await here.board(here.manager, `?building=${here.harbour.id}`, { viewport, hasTouch: true });
    const paused = card(page, 'Open', 'Roof leak');
    const reason = paused.getByText('Waiting for a contractor', { exact: true });
    expect(await reason.evaluate(roomBeside, '[data-card]')).toBeGreaterThanOrEqual(16);
    const reference = paused.getByText(/-\d{4}$/);
    expect(await reference.evaluate(linesOf)).toBe(1);
  });
});
