import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { browserMessages } from '#shared/features/document-browser-messages.ts';
import type { DocumentPlace } from '#shared/features/documents.ts';
import { documentMessages } from '#shared/features/documents-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import type { TestBuilding, TestPerson } from '#tests/support/rows/factories.ts';
import { focused, item, menu, names, trail } from '#tests/support/screens/documents-screen.ts';
import { createDocumentsSite, type DocumentsSite, inside } from '#tests/support/screens/documents-site.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import type { TestClient } from '#tests/support/server/client.ts';

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
});
