import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { tasks } from '#db/schema/tasks.ts';
import { addDays, addMonths, dayOf } from '#shared/dates.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import type { TestBuilding, TestPerson } from '#tests/support/rows/factories.ts';
import { chooseHarbour, toastWith } from '#tests/support/screens/task-form.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import type { TestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();
const TODAY = dayOf(clock.now());

const setting = setUpWebSetting({ clock });
let here: TasksSite;
let harbour: TestBuilding;
let manager: TestPerson;
let api: TestClient;

beforeEach(async () => {
  here = await createTasksSite(setting);
  ({ site: harbour, manager, client: api } = here);
});

const add = (values: Parameters<TasksSite['tasks']['add']>[1] = {}) =>
  here.tasks.add('Thorough examination', { complianceSystem: 'Lifts', frequency: 'biannually', ...values });
const stored = () => setting.server.services.db.select().from(tasks).where(eq(tasks.buildingId, harbour.id));

describe('adding a task', () => {
  test('previews the number, takes the next inside the transaction, and lands on the dashboard with a way back', async () => {
    const page = await setting.open(manager, '/add-task');
    await chooseHarbour(page);
    await page.getByText(`${harbour.code}-T0001`).waitFor();
    // A colleague adds a task first.
    await add();
    await page.getByLabel('Compliance System').fill('Fire Alarm');
    await page.getByLabel('Task Description').fill('Service of the panel');
    await page.getByLabel('Frequency').selectOption('Quarterly');
    await page.getByLabel('Responsible Person').fill('Alpha Alarms');
    await page.getByLabel('Last done (optional)').fill(addDays(TODAY, -10));
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.waitForURL('**/dashboard');
    await toastWith(page, 'Task added').waitFor();
    await toastWith(page, `${harbour.code}-T0002`).waitFor();
    const [made] = (await stored()).filter(({ taskNumber }) => taskNumber.endsWith('2'));
    expect(made).toMatchObject({
      complianceSystem: 'Fire Alarm',
      taskDescription: 'Service of the panel',
      frequency: 'quarterly',
      responsiblePerson: 'Alpha Alarms',
      completedOn: addDays(TODAY, -10),
      due: addMonths(addDays(TODAY, -10), 3),
    });
    await page.getByRole('button', { name: 'View' }).click();
    await page.waitForURL(`**/compliance-details?building=${harbour.id}&task=${made?.id}`);
  });
});

describe('editing a task', () => {
  test('says that it loads, sends changed fields only, and lands on the dashboard with a way back', async () => {
    const task = await add({ responsiblePerson: 'Alpha' });
    const page = await setting.window(manager);
    let go: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route(/trpc\/[^?]*tasks\.get/, async (route) => {
      await gone;
      await route.continue();
    });
    await page.goto(`/edit-task/${task.id}`);
    await page.getByText('Loading task data...', { exact: true }).waitFor();
    go();
    await page.getByText(taskMessages.locationFixed).waitFor();
    expect(await page.getByLabel('Location').count()).toBe(0);
    await page.getByLabel('Task Description').fill('Thorough examination by Beta');
    // Meanwhile a colleague changes another field.
    await api.tasks.update.mutate({
      operationId: uuidv7(),
      id: task.id,
      changes: { responsiblePerson: { from: 'Alpha', to: 'Beta' } },
    });
    await expect.poll(() => page.getByLabel('Responsible Person').inputValue()).toBe('Beta');
    await page.getByRole('button', { name: 'Save Task' }).click();
    await page.waitForURL('**/dashboard');
    await toastWith(page, 'Task updated').waitFor();
    expect(await here.tasks.get(task.id)).toMatchObject({
      taskDescription: 'Thorough examination by Beta',
      responsiblePerson: 'Beta',
      frequency: 'biannually',
    });
    await page.getByRole('button', { name: 'View' }).click();
    await page.waitForURL(`**/compliance-details?building=${harbour.id}&task=${task.id}`);
  });
});
