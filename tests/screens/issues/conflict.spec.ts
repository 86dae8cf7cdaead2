import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { messages } from '#shared/messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { CALM, startWebProxy, type WebProxy } from '#tests/support/network/web-proxy.ts';
import { seededRandom } from '#tests/support/random.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { card, live, openDetails, reportIssues } from '#tests/support/screens/issues-screen.ts';
import { createTestClient } from '#tests/support/server/client.ts';

const setting = setUpWebSetting();
let building: TestBuilding;
let manager: TestPerson;
let colleague: TestPerson;
/** A proxy in front of the server that can drop answers. */
let proxy: WebProxy;

beforeAll(async () => {
  const { server } = setting;
  building = await createBuilding(server.services, { name: 'Harbour House', code: 'HAR' });
  const buildings = [building.id];
  manager = await createPerson(server.services, { role: 'manager', buildings, firstName: 'Maya' });
  colleague = await createPerson(server.services, { role: 'manager', buildings, firstName: 'Cole' });
  proxy = await startWebProxy(() => server.url, seededRandom('network'));
});
afterEach(() => proxy.faults(CALM));
afterAll(() => proxy.close());

const report = (title: string) => reportIssues(setting.server, manager, building, [{ title }]);

async function bothIn(title: string) {
  const windows = await Promise.all(
    [manager, colleague].map((person) => setting.open(person, '/building-issues')),
  );
  await Promise.all(windows.map(live));
  const dialogs = await Promise.all(windows.map((page) => openDetails(page, title)));
  const [ours, theirs] = windows;
  const [mine, other] = dialogs;
  if (ours === undefined || theirs === undefined || mine === undefined || other === undefined) {
    throw new Error('two windows were opened');
  }
  return { ours, theirs, mine, other };
}

const save = (page: Page) => page.getByRole('button', { name: 'Update Issue' }).click();

describe('two people in one form', () => {
  test('the second to save the same field sees what the other saved, and may take it', async () => {
    await report('Bin store');
    const { ours, theirs, mine, other } = await bothIn('Bin store');
    await mine.getByLabel('Priority').selectOption('Low');
    await other.getByLabel('Priority').selectOption('High');
    await save(theirs);
    await ours.getByText('Someone else has just saved “High”.').waitFor();
    // Saving asks first, so that the other person's change is not overwritten unseen.
    await save(ours);
    expect(await ours.getByRole('dialog').count()).toBe(1);
    await ours.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => mine.getByLabel('Priority').inputValue()).toBe('high');
    await save(ours);
    await ours.getByRole('dialog').waitFor({ state: 'hidden' });
    await card(ours, 'Open', 'Bin store').getByText('High').waitFor();
  });

  test('different fields are both kept, and what the other saved arrives in the open form', async () => {
    await report('Roof leak');
    const { ours, theirs, mine, other } = await bothIn('Roof leak');
    await mine.getByLabel('Description').fill('Above the plant room');
    await other.getByLabel('Priority').selectOption('Critical');
    await save(theirs);
    await expect.poll(() => mine.getByLabel('Priority').inputValue()).toBe('critical');
    expect(await mine.getByLabel('Description').inputValue()).toBe('Above the plant room');
    await save(ours);
    await ours.getByText('Issue updated successfully').waitFor();
    const both = card(theirs, 'Open', 'Roof leak');
    await both.getByText('Critical').waitFor();
    await both.getByText('Above the plant room').waitFor();
  });
});

describe('a connection that is lost in the middle', () => {
  test('of a report: it is kept, stored once, and the person is told the truth', async () => {
    const page = await setting.open(manager, '/building-issues', { at: proxy.url });
    await live(page);
    await page.getByRole('button', { name: 'Report Issue', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Lamp out in stair B');
    // The server answers, but the answer never arrives.
    proxy.faults({ ...CALM, dropAnswer: 1 });
    await dialog.getByRole('button', { name: 'Create Issue' }).click();
    await page.getByText(messages.issues.reportKept).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByText(/created successfully/).count()).toBe(0);
    proxy.faults(CALM);
    await page.getByText(/^Issue HAR-\d{4} /).waitFor();
    const client = createTestClient(setting.server.url, await signInAs(setting.server, manager));
    const found = await client.issues.list.query({ filter: { search: 'stair B' } });
    expect(found.data.rows.length).toBe(1);
  });

  test('of a drag: the card stays where it was put, and the history has one line', async () => {
    await report('Gate hinge');
    const page = await setting.open(manager, '/building-issues', { at: proxy.url });
    await live(page);
    proxy.faults({ ...CALM, dropAnswer: 1 });
    await card(page, 'Open', 'Gate hinge').getByRole('link').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await card(page, 'In Progress', 'Gate hinge').waitFor();
    await page.getByText('The connection was lost while saving. Checking whether it arrived…').waitFor();
    proxy.faults(CALM);
    await expect.poll(() => proxy.counts.dropped).toBeGreaterThan(0);
    const details = await openDetails(page, 'Gate hinge');
    await details.getByText('changed status from Open to In Progress').waitFor();
    expect(await details.getByText('changed status').count()).toBe(1);
  });

  test('of a refused move: the card goes back and says why', async () => {
    await report('Loose handrail');
    const page = await setting.open(manager, '/building-issues');
    await live(page);
    await page.route('**/trpc/issues.update**', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: JSON.stringify(REFUSED),
      }),
    );
    await card(page, 'Open', 'Loose handrail').getByRole('link').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByText(/^Failed to update building issue/).waitFor();
    await card(page, 'Open', 'Loose handrail').waitFor();
    expect(await card(page, 'In Progress', 'Loose handrail').count()).toBe(0);
  });
});

/** An unexpected error, in the format of the server's error formatter. */
const REFUSED = {
  error: {
    message: 'Something went wrong. Reference abc123.',
    code: -32603,
    data: {
      code: 'INTERNAL_SERVER_ERROR',
      httpStatus: 500,
      path: 'issues.update',
      app: { code: 'internal', message: 'Something went wrong. Reference abc123.', reference: 'abc123' },
    },
  },
};
