import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, dayOf } from '#shared/dates.ts';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import type { DocumentPlace } from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { addFileRows } from '#tests/support/rows/file-rows.ts';
import { focused, item, menu, names, trail } from '#tests/support/screens/documents-screen.ts';
import { createDocumentsSite, type DocumentsSite, inside } from '#tests/support/screens/documents-site.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { refuseWith } from '#tests/support/server/refusals.ts';

const setting = setUpWebSetting();
let of: DocumentsSite;
let site: TestBuilding;
let admin: TestPerson;
let viewer: TestPerson;
let client: TestClient;
let fire: DocumentPlace;
let fireName: string;

beforeEach(async () => {
  of = await createDocumentsSite(setting);
  ({ site, admin, viewer, client, fire, fireName } = of);
});

const add = (name: string, place?: DocumentPlace) => of.add(name, place);
/** The names that the server has in a place. */
const stored = async (place: DocumentPlace) => (await of.stored(place)).map(({ fileName }) => fileName);

/** Opens the page for readers, or the card for people who manage documents. */
const read = (who: TestPerson, place?: DocumentPlace, query?: string) =>
  setting.open(who, of.reading(place, query));
const manage = (place?: DocumentPlace, query?: string) => of.manage(place, query);

describe('reading', () => {
  test('cards and rows cut nothing of what they hold, and say the same of a document as its preview', async () => {
    const { services } = setting.server;
    const fileName = 'Fire alarm service certificate of October.pdf';
    const uploadedAt = new Date(Date.now() - 40 * DAY_MS).toISOString();
    const expiresOn = dayOf(Date.now() + 9 * DAY_MS);
    const file = { fileName, uploadedAt, expiresOn, disciplineId: of.disciplineId };
    await addFileRows(services, { buildingId: site.id, by: admin.id }, [file]);
    const page = await read(viewer, fire);
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const card = item(page, fileName);
      await card.getByText('Uploaded 1 month ago').waitFor();
      expect(await card.evaluate((each) => each.scrollHeight - each.clientHeight)).toBe(0);
      const end = await card.getByText('Uploaded 1 month ago').boundingBox();
      const box = await card.boundingBox();
      expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThan((box?.y ?? 0) + (box?.height ?? 0) - 8);
    }
    await page.getByRole('link', { name: fileName, exact: true }).click();
    await page.getByRole('dialog').getByText('Uploaded 1 month ago').waitFor();

    // At the top, the name of a discipline and its badge are never cut off; the count may be.
    await page.goto(of.reading(undefined, '&view=list'));
    const row = item(page, fireName);
    const badge = row.getByText('1 expires soon');
    for (const width of [768, 390]) {
      await page.setViewportSize({ width, height: 844 });
      for (const text of [badge, row.getByRole('link')]) {
        const room = await text.evaluate((each) => {
          const cell = each.closest('td')?.getBoundingClientRect().right ?? 0;
          return Math.min(each.clientWidth - each.scrollWidth, cell - each.getBoundingClientRect().right);
        });
        expect(room).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test('an administrator chooses a building, and goes on to manage at the same place', async () => {
    await add('Plans');
    await createBuilding(setting.server.services);
    const page = await setting.open(admin, '/documents');
    await page.getByRole('heading', { name: documentMessages.selectBuilding }).waitFor();
    await page.getByRole('button', { name: /^Building: / }).click();
    await page.getByRole('option', { name: 'Harbour House' }).first().click();
    await page.goto(of.reading(fire, '&view=list'));
    await item(page, 'Plans').waitFor();
    await page.getByRole('link', { name: browserMessages.manageElsewhere }).click();
    await page.getByRole('heading', { name: 'Document Management' }).waitFor();
    await item(page, 'Plans').waitFor();
    await page.getByRole('button', { name: 'New Folder' }).waitFor();
  });

  test('says when nothing is there, nothing matches, a folder is gone, and reading fails', async () => {
    const page = await read(viewer, fire);
    await page.getByRole('heading', { name: documentMessages.none }).waitFor();
    await page.getByLabel(documentMessages.searchPlaceholder).fill('nothing like it');
    await page.getByText(browserMessages.noneMatch).waitFor();
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await page.getByText(browserMessages.emptyFolder).waitFor();

    await page.goto(`/documents?building=${site.id}&folder=${uuidv7()}`);
    await page.getByRole('heading', { name: documentMessages.folderGone }).waitFor();
    await page.getByRole('main').getByRole('link', { name: documentMessages.root }).last().click();
    await item(page, fireName).waitFor();

    await page.route(/trpc\/.*documents\.list/, refuseWith('internal'));
    await page.goto(`/documents?building=${site.id}&folder=discipline_general`);
    await page.getByRole('heading', { name: documentMessages.fetchFailed }).waitFor();
    await page.unroute(/trpc\/.*documents\.list/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: documentMessages.none }).waitFor();
  });

  test('sorts folders by name: the same column flips, another one begins ascending (case 3)', async () => {
    for (const name of ['Plan 10', 'plan 2', 'Alpha']) await add(name);
    const page = await read(viewer, fire, '&view=list');
    await expect.poll(() => names(page)).toEqual(['Alpha', 'plan 2', 'Plan 10']);
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await expect.poll(() => names(page)).toEqual(['Plan 10', 'plan 2', 'Alpha']);
    expect(new URL(page.url()).searchParams.get('direction')).toBe('desc');
    await page.getByRole('button', { name: 'File size' }).click();
    const column = page.getByRole('columnheader', { name: 'File size' });
    await expect.poll(() => column.getAttribute('aria-sort')).toBe('ascending');
    const headers = await page.getByRole('columnheader').allTextContents();
    expect(headers).toEqual([
      'Selected',
      'Name',
      'Modified',
      'Modified by',
      'File size',
      'Sharing',
      'Activity',
      'Actions',
    ]);
    const cells = await item(page, 'Alpha').getByRole('cell').allTextContents();
    expect(cells.slice(4, 7)).toEqual(['—', 'Restricted', '—']);
  });

  test('on a tablet the list has room for names, because it has no more than time and size', async () => {
    await add('Operation and maintenance manuals');
    const page = await setting.open(viewer, of.reading(fire, '&view=list'), {
      viewport: { width: 768, height: 1024 },
    });
    const name = item(page, 'Operation and maintenance manuals').getByRole('link');
    await name.waitFor();
    expect(await name.evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true);
    const headers = await page.getByRole('columnheader').allTextContents();
    expect(headers).toEqual(['Selected', 'Name', 'Modified', 'File size', 'Actions']);
  });

  test('the grid has as many columns as the width allows, from one to six (case 4)', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await add(name);
    const page = await read(viewer, fire);
    await item(page, 'a').waitFor();
    const columns = () =>
      page.locator('[data-item]').evaluateAll((cards) => {
        const tops = cards.map((card) => Math.round(card.getBoundingClientRect().top));
        return tops.filter((top) => top === tops[0]).length;
      });
    for (const [width, count] of [
      [390, 1],
      [640, 2],
      [768, 3],
      [1024, 4],
      [1440, 6],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(async () => [width, await columns()]).toEqual([width, count]);
    }
  });
});

describe('managing', () => {
  test('makes a folder: a blank name does nothing, spaces around it go (case 5)', async () => {
    const plans = await add('Plans');
    const page = await manage(inside(plans));
    await page.getByRole('button', { name: 'New Folder' }).click();
    const dialog = page.getByRole('dialog', { name: documentMessages.newFolder });
    await dialog.getByText(`${fireName} > Plans`).waitFor();
    const name = dialog.getByLabel(documentMessages.folderNameLabel);
    await name.fill('   ');
    await name.press('Enter');
    expect(await dialog.getByRole('button', { name: documentMessages.createFolder }).isDisabled()).toBe(true);
    await dialog.getByRole('radio', { name: 'Blue' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await dialog.getByRole('radio', { name: 'Green' }).isChecked()).toBe(true);
    await name.fill(' Roof ');
    await name.press('Enter');
    await page.getByText(documentMessages.folderCreated).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await item(page, 'Roof').waitFor();
    expect(await of.stored(inside(plans))).toMatchObject([
      { fileName: 'Roof', folderColor: 'green', disciplineId: of.disciplineId },
    ]);

    await page.getByRole('button', { name: 'New Folder' }).click();
    await name.fill('roof');
    await name.press('Enter');
    await dialog.getByText(documentMessages.folderTaken('roof')).waitFor();
  });

  test('moves by drag onto the way up; the dialog offers neither the folder itself nor where it is', async () => {
    await add('Roof', inside(await add('Plans')));
    await add('Loose');
    const page = await manage(fire);
    await item(page, 'Plans').getByRole('link').click();
    await item(page, 'Roof').waitFor();
    await item(page, 'Roof').dragTo(page.getByRole('navigation', { name: 'Folders' }).getByText(fireName));
    await page.getByRole('heading', { name: documentMessages.none }).waitFor();

    await page.goBack();
    await menu(page, 'Loose', 'Move');
    const dialog = page.getByRole('dialog', { name: 'Move' });
    expect(await dialog.getByRole('radio', { name: fireName }).isDisabled()).toBe(true);
    expect(await dialog.getByRole('radio', { name: 'Loose' }).isDisabled()).toBe(true);
  });

  test('a move is taken back with Undo, with the name that it had', async () => {
    const plans = await add('Plans');
    await add('Roof', inside(plans));
    await add('Roof');
    const page = await manage(fire);
    await item(page, 'Roof').dragTo(item(page, 'Plans'));
    await page.getByText(browserMessages.keptAs('Roof (2)')).waitFor();
    expect(await stored(inside(plans))).toEqual(['Roof', 'Roof (2)']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(browserMessages.movedBack).waitFor();
    await expect.poll(() => names(page)).toEqual(['Plans', 'Roof']);
    expect(await stored(inside(plans))).toEqual(['Roof']);
    expect(await stored(fire)).toEqual(['Plans', 'Roof']);
  });

  test('a move that is refused comes back with the sentence (case 10)', async () => {
    const plans = await add('Plans');
    await add('Roof');
    const page = await manage(fire);
    await page.route(/trpc\/.*documents\.move/, refuseWith('not_found'));
    await item(page, 'Roof').dragTo(item(page, 'Plans'));
    await page.getByText(documentMessages.moveFailed).waitFor();
    await expect.poll(() => names(page)).toEqual(['Plans', 'Roof']);
    expect(await stored(inside(plans))).toEqual([]);
  });

  test('selects with Ctrl, Shift and Ctrl+A, and moves all at once', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await add(name);
    const page = await manage(fire, '&view=list');
    await item(page, 'b')
      .getByRole('link')
      .click({ modifiers: ['Control'] });
    await page.getByText('1 selected').waitFor();
    await item(page, 'd')
      .getByRole('link')
      .click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Selected documents' }).waitFor({ state: 'detached' });
    await item(page, 'a').getByRole('link').focus();
    await page.keyboard.press('Control+a');
    await page.getByText('5 selected').waitFor();
    await item(page, 'a').getByRole('checkbox').uncheck();
    await page
      .getByRole('region', { name: 'Selected documents' })
      .getByRole('button', { name: 'Move' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Move' });
    await dialog.getByText('a', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Move here' }).click();
    await page.getByText(browserMessages.movedMany(4)).waitFor();
    await expect.poll(() => names(page)).toEqual(['a']);
  });

  test('is walked by keys: arrows, Enter, Backspace', async () => {
    const b = await add('b');
    for (const name of ['a', 'c', 'd', 'e', 'f', 'g', 'h']) await add(name);
    await add('inner', inside(b));
    const page = await manage(fire);
    await item(page, 'a').getByRole('link').focus();
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('b');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('f');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('inner');
    await page.keyboard.press('Backspace');
    await expect.poll(() => focused(page)).toBe('b');
    await page.keyboard.press('Backspace');
    await expect.poll(() => focused(page)).toBe(fireName);
  });
});

describe('two windows', () => {
  test('show each other’s folders, names, moves and deletions; the focus stays (case 9)', async () => {
    const plans = await add('Plans');
    await add('Zebra');
    const reader = await read(viewer, fire);
    await live(reader);
    await item(reader, 'Zebra').getByRole('link').focus();
    const page = await manage(fire);
    const roof = await add('Roof');
    await item(reader, 'Roof').waitFor();
    await item(page, 'Roof').waitFor();
    const changes = { fileName: { from: 'Roof', to: 'Attic' } };
    await client.documents.update.mutate({ operationId: uuidv7(), id: roof, changes });
    await item(reader, 'Attic').waitFor();
    const ids = [roof];
    await client.documents.move.mutate({
      operationId: uuidv7(),
      buildingId: site.id,
      ids,
      to: inside(plans),
    });
    await expect.poll(() => names(reader)).toEqual(['Plans', 'Zebra']);
    await client.documents.remove.mutate({ operationId: uuidv7(), buildingId: site.id, ids: [plans] });
    await expect.poll(() => names(reader)).toEqual(['Zebra']);
    expect(await focused(reader)).toBe('Zebra');
  });

  test('a reader in a folder that is deleted is told, and sees it again when it is restored', async () => {
    const plans = await add('Plans');
    await add('Roof', inside(plans));
    const reader = await read(viewer, inside(plans));
    await live(reader);
    await item(reader, 'Roof').waitFor();
    await client.documents.remove.mutate({ operationId: uuidv7(), buildingId: site.id, ids: [plans] });
    await reader.getByRole('heading', { name: documentMessages.folderGone }).waitFor();
    await client.documents.restore.mutate({ operationId: uuidv7(), id: plans });
    await item(reader, 'Roof').waitFor();
    expect(await trail(reader)).toContain('Plans');
  });

  test('who loses the permission with the page open sees the grey notice', async () => {
    await add('Plans');
    const page = await manage(fire);
    await item(page, 'Plans').waitFor();
    const other = await createPerson(setting.server.services, { role: 'admin' });
    const others = createTestClient(setting.server.url, await signInAs(setting.server, other));
    await others.users.setRole.mutate({ operationId: uuidv7(), userId: admin.id, role: 'viewer' });
    await page.getByText(documentMessages.manageForbidden).waitFor();
    expect(await page.getByRole('button', { name: 'New Folder' }).count()).toBe(0);
  });
});
