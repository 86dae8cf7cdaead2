import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { documents } from '#db/schema/documents.ts';
import type { DocumentPlace } from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { previewMessages } from '#shared/features/documents/preview-messages.ts';
import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import {
  chooseLargeFile,
  item,
  names,
  openZone,
  textFile,
  upload,
} from '#tests/support/screens/documents-screen.ts';
import { createDocumentsSite, type DocumentsSite, inside } from '#tests/support/screens/documents-site.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';

const MIB = 1024 * 1024;
/** A slow network (bytes per second), so that something can happen in the middle of an upload. */
const SLOW = { latency: 0, downloadThroughput: -1, uploadThroughput: 3 * MIB };

const setting = setUpWebSetting();
let of: DocumentsSite;
/** The client of another administrator. */
let others: TestClient;

beforeEach(async () => {
  of = await createDocumentsSite(setting);
  const other = await createPerson(setting.server.services, { role: 'admin' });
  others = createTestClient(setting.server.url, await signInAs(setting.server, other));
});

const documentsOf = (buildingId: string) =>
  setting.server.services.db.$count(documents, eq(documents.buildingId, buildingId));

test('two people rename a folder at once: the second sees the name of the first, and chooses', async () => {
  const plans = await of.add('Plans');
  const page = await of.manage();
  await item(page, 'Plans').getByRole('link').focus();
  await page.keyboard.press('F2');
  const dialog = page.getByRole('dialog', { name: 'Rename' });
  await dialog.getByLabel(documentMessages.folderNameLabel).fill('Models');
  const changes = { fileName: { from: 'Plans', to: 'Drawings' } };
  await others.documents.update.mutate({ operationId: uuidv7(), id: plans, changes });
  await dialog.getByText('Drawings').first().waitFor();
  await dialog.getByRole('button', { name: /keep/i }).click();
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => names(page)).toEqual(['Models']);
  expect((await of.stored()).map(({ fileName }) => fileName)).toEqual(['Models']);
});

test('a folder that goes and comes back with the one above it is shown again', async () => {
  const plans = await of.add('Plans');
  const roof = await of.add('Roof', inside(plans));
  await of.add('Gutters', inside(roof));
  const page = await setting.open(of.viewer, of.reading(inside(roof)));
  await live(page);
  await item(page, 'Gutters').waitFor();
  await others.documents.remove.mutate({ operationId: uuidv7(), buildingId: of.site.id, ids: [plans] });
  await page.getByRole('heading', { name: documentMessages.folderGone }).waitFor();
  await others.documents.restore.mutate({ operationId: uuidv7(), id: plans });
  await item(page, 'Gutters').waitFor();
});

describe('a document that is previewed', () => {
  const notes = textFile('Notes.txt', 'Keys are with the guard');

  /** Opens the preview of a file that was uploaded to a place. @returns the file's id */
  async function preview(place: DocumentPlace): Promise<{ page: Page; id: string }> {
    const page = await of.manage(place);
    await upload(page, notes);
    const [{ id } = { id: '' }] = await of.stored(place);
    await item(page, 'Notes.txt').getByRole('link').click();
    await page.getByRole('dialog', { name: 'Notes.txt' }).getByText('Keys are with').waitFor();
    return { page, id };
  }

  test('and deleted says by whom, and comes back when it is restored', async () => {
    const { page, id } = await preview(of.fire);
    const dialog = page.getByRole('dialog', { name: 'Notes.txt' });
    await others.documents.remove.mutate({ operationId: uuidv7(), buildingId: of.site.id, ids: [id] });
    await dialog
      .getByRole('alert')
      .getByText(/^This document was deleted by /)
      .waitFor();
    expect(await dialog.getByRole('button', { name: 'Download' }).count()).toBe(0);
    await others.documents.restore.mutate({ operationId: uuidv7(), id });
    await dialog.getByText('Keys are with').waitFor();
  });

  test('and deleted with its folder says so, and so does its address afterwards', async () => {
    const plans = await of.add('Plans');
    const { page } = await preview(inside(plans));
    const dialog = page.getByRole('dialog', { name: 'Notes.txt' });
    await others.documents.remove.mutate({ operationId: uuidv7(), buildingId: of.site.id, ids: [plans] });
    await dialog.getByRole('alert').getByText(documentMessages.gone).waitFor();
    await page.reload();
    await page
      .getByRole('dialog', { name: previewMessages.title })
      .getByText(documentMessages.gone)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(documentMessages.folderGone).first().waitFor();
  });
});

describe('in the middle of an upload', () => {
  const failed = (page: Page) => page.getByRole('button', { name: `${uploadMessages.retry}: Survey.bin` });

  /** Begins an upload that takes seconds, and returns when the server has some of it. */
  async function begin(): Promise<Page> {
    const page = await of.manage();
    await openZone(page);
    const network = await page.context().newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', { ...SLOW, offline: false });
    await chooseLargeFile(page, 'Survey.bin', randomBytes(9 * MIB));
    await page.getByRole('button', { name: uploadMessages.show }).click();
    await page
      .getByRole('region', { name: uploadMessages.trayTitle })
      .getByText(/^[1-9]\d?%$/)
      .first()
      .waitFor();
    return page;
  }

  test('the building is archived: the upload ends with a refusal, and nothing is stored', async () => {
    const page = await begin();
    await others.locations.removeBuilding.mutate({ operationId: uuidv7(), id: of.site.id });
    await failed(page).waitFor();
    expect(await documentsOf(of.site.id)).toBe(0);
  });

  test('the permission is taken away: the person is told, and nothing is stored', async () => {
    const page = await begin();
    await others.users.setRole.mutate({ operationId: uuidv7(), userId: of.admin.id, role: 'viewer' });
    await failed(page).waitFor();
    await page.getByText(documentMessages.manageForbidden).first().waitFor();
    expect(await documentsOf(of.site.id)).toBe(0);
  });
});
