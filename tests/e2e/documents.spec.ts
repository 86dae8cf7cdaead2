import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { browserMessages } from '#shared/features/document-browser-messages.ts';
import type { DocumentPlace } from '#shared/features/documents.ts';
import { documentMessages } from '#shared/features/documents-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestClient, type TestClient } from '#tests/support/client.ts';
import { focused, item, menu, names, trail } from '#tests/support/documents-screen.ts';
import { createDocumentsSite, type DocumentsSite, inside } from '#tests/support/documents-site.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/factories.ts';
import { live } from '#tests/support/issues-screen.ts';
import { refuseWith } from '#tests/support/refusals.ts';
import { rare, test } from '#tests/support/sweep.ts';
import { createWebSetting, type WebSetting } from '#tests/support/web-setting.ts';

let setting: WebSetting;
let of: DocumentsSite;
let site: TestBuilding;
let admin: TestPerson;
let viewer: TestPerson;
let client: TestClient;
let fire: DocumentPlace;
let fireName: string;

beforeAll(async () => {
  setting = await createWebSetting();
});
beforeEach(async () => {
  of = await createDocumentsSite(setting);
  ({ site, admin, viewer, client, fire, fireName } = of);
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const add = (name: string, place?: DocumentPlace) => of.add(name, place);
/** The names that the server has in a place. */
const stored = async (place: DocumentPlace) => (await of.stored(place)).map(({ fileName }) => fileName);

/** Opens the page that all readers have, or the card of those who manage documents. */
const read = (who: TestPerson, place?: DocumentPlace, query?: string) =>
  setting.open(who, of.reading(place, query));
async function manage(place?: DocumentPlace, query?: string): Promise<Page> {
  const page = await setting.open(admin, of.managing(place, query));
  await live(page);
  return page;
}

describe('reading', () => {
  test('begins with a building, shows its disciplines, and walks down and back up', async () => {
    const plans = await add('Plans');
    await add('Ground floor', inside(plans));
    const page = await setting.open(viewer, '/documents');
    await page.getByRole('heading', { name: documentMessages.title, level: 1 }).waitFor();
    await page.getByText(documentMessages.subtitle).waitFor();
    // The only building of a person opens by itself.
    await page.getByRole('link', { name: fireName }).click();
    await page.getByRole('link', { name: 'Plans', exact: true }).click();
    await item(page, 'Ground floor').waitFor();
    expect(await trail(page)).toEqual(['Disciplines', fireName, 'Plans']);
    await page.goBack();
    await item(page, 'Plans').waitFor();
    await page.goBack();
    await item(page, fireName).waitFor();
    await page.goForward();
    await item(page, 'Plans').waitFor();
    expect(await trail(page)).toEqual(['Disciplines', fireName]);
    // Nothing can be changed here, and no link leads to where it could.
    expect(await page.getByRole('button', { name: 'New Folder' }).count()).toBe(0);
    expect(await item(page, 'Plans').getAttribute('draggable')).toBeNull();
    expect(await page.getByRole('link', { name: browserMessages.manageElsewhere }).count()).toBe(0);
  });

  rare('an administrator chooses a building, and goes on to manage at the same place', async () => {
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

  rare('says when nothing is there, nothing matches, a folder is gone, and reading fails', async () => {
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

  test('finds by name or discipline: the whole building at the root, a subtree in a folder', async () => {
    const plans = await add('Plans');
    await add('Roof 100%', inside(plans));
    await add('Other');
    const page = await read(viewer);
    const search = page.getByLabel(documentMessages.searchPlaceholder);
    await search.fill('ROOF');
    await expect.poll(() => names(page)).toEqual(['Roof 100%']);
    await search.fill('100%');
    await expect.poll(() => names(page)).toEqual(['Roof 100%']);
    await search.fill(fireName.toUpperCase());
    await expect.poll(() => names(page)).toEqual(['Other', 'Plans', 'Roof 100%']);
    await page.goto(`/documents?building=${site.id}&folder=${plans}&search=o`);
    await expect.poll(() => names(page)).toEqual(['Roof 100%']);
    await menu(page, 'Roof 100%', 'Show in its folder');
    await expect.poll(() => trail(page)).toEqual(['Disciplines', fireName, 'Plans']);
  });

  rare('sorts folders by name: the same column flips, another one begins ascending (case 3)', async () => {
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

  rare('on a tablet the list has room for names, because it has no more than time and size', async () => {
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

  rare.each([
    [390, 1],
    [640, 2],
    [768, 3],
    [1024, 4],
    [1440, 6],
  ])('at %i px the grid has %i columns (case 4)', async (width, columns) => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await add(name);
    const page = await setting.open(viewer, of.reading(fire), {
      viewport: { width, height: 900 },
    });
    await item(page, 'a').waitFor();
    const tops = await page
      .locator('[data-item]')
      .evaluateAll((cards) => cards.map((card) => Math.round(card.getBoundingClientRect().top)));
    expect(tops.filter((top) => top === tops[0])).toHaveLength(columns);
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

  rare('renames with F2, in the grid and in the list', async () => {
    await add('Plans');
    const page = await manage(fire);
    const rename = async (from: string, to: string) => {
      await item(page, from).getByRole('link').focus();
      await page.keyboard.press('F2');
      const dialog = page.getByRole('dialog', { name: 'Rename' });
      await dialog.getByLabel(documentMessages.folderNameLabel).fill(to);
      await page.keyboard.press('Enter');
      await item(page, to).waitFor();
      await dialog.waitFor({ state: 'hidden' });
    };
    await rename('Plans', 'Drawings');
    await page.getByTitle('List').click();
    await page.getByRole('table').waitFor();
    await rename('Drawings', 'Models');
    await expect.poll(() => names(page)).toEqual(['Models']);
  });

  test('moves by drag onto a folder and onto the way up, and by the dialog', async () => {
    const plans = await add('Plans');
    await add('Roof');
    await add('Loose');
    const page = await manage(fire);
    await item(page, 'Roof').dragTo(item(page, 'Plans'));
    await page.getByText(documentMessages.moved).waitFor();
    await expect.poll(() => names(page)).toEqual(['Loose', 'Plans']);
    await item(page, 'Plans').getByRole('link').click();
    await item(page, 'Roof').waitFor();
    await item(page, 'Roof').dragTo(page.getByRole('navigation', { name: 'Folders' }).getByText(fireName));
    await page.getByRole('heading', { name: documentMessages.none }).waitFor();

    await page.goBack();
    await item(page, 'Roof').waitFor();
    await menu(page, 'Loose', 'Move');
    const dialog = page.getByRole('dialog', { name: 'Move' });
    // It is there already, and a folder is not offered to itself.
    expect(await dialog.getByRole('radio', { name: fireName }).isDisabled()).toBe(true);
    expect(await dialog.getByRole('radio', { name: 'Loose' }).isDisabled()).toBe(true);
    await dialog.getByText('Plans', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Move here' }).click();
    await expect.poll(() => names(page)).toEqual(['Plans', 'Roof']);
    await expect.poll(() => stored(inside(plans))).toEqual(['Loose']);
  });

  rare('a move is taken back with Undo, with the name that it had', async () => {
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

  rare('a move that is refused comes back with the sentence (case 10)', async () => {
    const plans = await add('Plans');
    await add('Roof');
    const page = await manage(fire);
    await page.route(/trpc\/.*documents\.move/, refuseWith('not_found'));
    await item(page, 'Roof').dragTo(item(page, 'Plans'));
    await page.getByText(documentMessages.moveFailed).waitFor();
    await expect.poll(() => names(page)).toEqual(['Plans', 'Roof']);
    expect(await stored(inside(plans))).toEqual([]);
  });

  test('deletes with a count, restores at once, and from the bin', async () => {
    const plans = await add('Plans');
    const roof = await add('Roof', inside(plans));
    await add('Gutter', inside(roof));
    const page = await manage(fire);
    await item(page, 'Plans').getByRole('link').focus();
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete Plans?' });
    await dialog.getByText(browserMessages.deleteQuestion('3 folders')).waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(documentMessages.folderDeleted).waitFor();
    await page.getByRole('heading', { name: documentMessages.none }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await item(page, 'Plans').waitFor();

    await menu(page, 'Plans', 'Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Bin', exact: true }).click();
    await page.getByText('Plans').first().waitFor();
    await page.getByText('2 folders', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Restore Plans' }).click();
    await page.getByText(browserMessages.binEmpty).waitFor();
    await page.getByRole('button', { name: 'Close the bin' }).click();
    await item(page, 'Plans').waitFor();
  });

  rare('selects with Ctrl, Shift and Ctrl+A, and moves all at once', async () => {
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

  rare('is walked by keys: arrows, Enter, Backspace', async () => {
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
  test('see each other’s folders, names, moves and deletions; the focus stays (case 9)', async () => {
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

  rare('a reader in a folder that is deleted is told, and sees it again when it is restored', async () => {
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

  rare('who loses the permission with the page open sees the grey notice', async () => {
    await add('Plans');
    const page = await manage(fire);
    await item(page, 'Plans').waitFor();
    const other = await createPerson(setting.server.services, { role: 'admin' });
    const others = createTestClient(setting.server.url, await signInAs(setting.server, other));
    await others.users.setRole.mutate({ operationId: uuidv7(), userId: admin.id, role: 'viewer' });
    await page
      .getByText(documentMessages.manageForbidden)
      .or(page.getByRole('heading', { name: 'Access Denied' }))
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: 'New Folder' }).count()).toBe(0);
  });
});
