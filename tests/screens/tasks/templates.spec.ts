import { beforeEach, describe, expect, test } from 'vitest';
import { TASK_TEMPLATES } from '#shared/features/tasks/task-templates.ts';
import { templateMessages } from '#shared/features/tasks/task-templates-messages.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { LOLER, missing, preview, template } from '#tests/support/screens/task-library.ts';
import { createTasksSite } from '#tests/support/screens/tasks-site.ts';
import type { TestClient } from '#tests/support/server/client.ts';

const setting = setUpWebSetting();
let site: TestBuilding;
let manager: TestPerson;
let client: TestClient;

beforeEach(async () => {
  ({ site, manager, client } = await createTasksSite(setting));
});

const operation = () => ({ operationId: uuidv7() });
const added = async () => (await client.tasks.list.query({ buildingId: site.id })).data.tasks;

describe('the library', () => {
  test('follows what others do: an asset, a task, and the same templates at the same time', async () => {
    const colleague = await createPerson(setting.server.services, { role: 'manager', buildings: [site.id] });
    const [one, two] = [
      await setting.open(manager, `/task-templates?building=${site.id}`),
      await setting.open(colleague, `/task-templates?building=${site.id}`),
    ];
    await two.getByText(templateMessages.nothingRegistered).waitFor();
    const id = uuidv7();
    await client.assets.create.mutate({
      ...operation(),
      ...{ id, buildingId: site.id, name: 'Lift A', description: 'For people', floorId: null, type: 'lift' },
    });
    for (const page of [one, two]) {
      await missing(page).getByText(`1 lift, no task: ${LOLER}`).waitFor();
      await page.getByRole('button', { name: templateMessages.selectMissing(1) }).click();
      await template(page, 'Asbestos – Review of the register').check();
      await preview(page, 2);
      await page.getByRole('list', { name: 'To be added' }).getByText(LOLER).waitFor();
    }
    // The second window presses before it has received the change of the first.
    const both = [one, two].map((page) =>
      page.getByRole('button', { name: templateMessages.add(2) }).click(),
    );
    await Promise.allSettled(both);
    await expect.poll(async () => (await added()).length).toBe(2);
    for (const page of [one, two]) {
      const told = [templateMessages.added(2), templateMessages.addedByOthers, templateMessages.allInUse];
      await page
        .getByText(new RegExp(told.map(escaped).join('|')))
        .first()
        .waitFor();
    }
    expect(await added()).toHaveLength(2);
  });

  test('a duty whose words no task has is covered by the task that one chooses', async () => {
    await client.assets.create.mutate({
      ...operation(),
      ...{ id: uuidv7(), buildingId: site.id, name: 'Lift A', description: 'For people', type: 'lift' },
    });
    await client.tasks.create.mutate({
      ...operation(),
      ...{ id: uuidv7(), buildingId: site.id, frequency: 'biannually' },
      ...{ complianceSystem: 'Insurer', taskDescription: 'Visit of the inspector' },
    });
    const page = await setting.open(manager, `/task-templates?building=${site.id}`);
    await missing(page)
      .getByRole('button', { name: `${templateMessages.covered} ${LOLER}` })
      .click();
    const dialog = page.getByRole('dialog', { name: templateMessages.coverTitle });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText(taskMessages.coveringRequired).waitFor();
    await dialog.getByRole('button', { name: /^Task/ }).press('Enter');
    await page.getByRole('option', { name: /Visit of the inspector/ }).press('Enter');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText(templateMessages.nothingMissing).waitFor();
    expect((await added()).map(({ templateId }) => templateId)).toEqual(['loler-people']);
  });

  test('what another adds while the preview is open is left out of it', async () => {
    const page = await setting.open(manager, `/task-templates?building=${site.id}`);
    await template(page, 'Asbestos – Review of the register').check();
    await template(page, 'Fire Dampers – Drop test and cleaning').check();
    await preview(page, 2);
    await page.getByRole('button', { name: templateMessages.add(2) }).waitFor();
    const templateIds = ['asbestos-register-review'];
    await client.tasks.applyTemplates.mutate({ ...operation(), buildingId: site.id, templateIds });
    await page.getByRole('list', { name: 'Left out' }).getByText('Asbestos').waitFor();
    await page.getByRole('button', { name: templateMessages.add(1) }).click();
    await page.getByText(templateMessages.added(1)).waitFor();
    expect(await added()).toHaveLength(2);
  });

  test('shows what is not in force, is searched, and keeps building and filter in the address', async () => {
    const page = await setting.open(manager, `/task-templates?building=${site.id}`);
    await page.getByText(templateMessages.count(TASK_TEMPLATES.length, TASK_TEMPLATES.length)).waitFor();
    const drill = template(page, 'Protection from Terrorism – Drill of public protection procedures');
    expect(await drill.isDisabled()).toBe(true);
    await page.getByLabel('Search the library...').fill('gas safe');
    await page.getByText(templateMessages.count(2, TASK_TEMPLATES.length)).waitFor();
    await page.getByLabel('Filter by basis').selectOption('standard');
    await page.getByText(templateMessages.noneMatch).waitFor();
    expect(page.url()).toContain('q=gas+safe&class=standard');
    await page.reload();
    await page.getByText(templateMessages.noneMatch).waitFor();
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await drill.waitFor();
    expect(page.url()).toContain(`building=${site.id}`);
  });

  test('without a building is there to read; another building begins with nothing chosen', async () => {
    const { services } = setting.server;
    const [one, other] = [await createBuilding(services), await createBuilding(services)];
    const admin = await createPerson(services, { role: 'admin' });
    const page = await setting.open(admin, '/task-templates');
    await page.getByText(templateMessages.chooseBuilding).waitFor();
    const asbestos = template(page, 'Asbestos – Review of the register');
    expect(await asbestos.isDisabled()).toBe(true);
    const pick = async (name: string) => {
      await page.getByRole('button', { name: /^Building: / }).click();
      await page.getByRole('option', { name }).click();
    };
    await pick(one.name);
    await asbestos.check();
    await page.getByText(templateMessages.selected(1)).waitFor();
    await pick(other.name);
    await page.getByText(templateMessages.selected(1)).waitFor({ state: 'detached' });
    expect(await asbestos.isChecked()).toBe(false);
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
