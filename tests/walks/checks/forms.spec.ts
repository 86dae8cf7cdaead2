import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { dayOf } from '#shared/dates.ts';
import { falseAlarmMessages } from '#shared/features/checks/kinds/false-alarm.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import {
  choose,
  chooseSite,
  group,
  record,
  recordAnyway,
  temperature,
} from '#tests/support/screens/check-form.ts';
import { type ChecksSite, createChecksSite } from '#tests/support/screens/checks-site.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();

const setting = setUpWebSetting({ clock });
let here: ChecksSite;

beforeAll(async () => {
  here = await createChecksSite(setting);
});

describe('the fire alarm form', () => {
  test('leads from its card to the point whose turn it is; a failure comes back with its reference', async () => {
    const page = await setting.open(await here.aisha(), '/dashboard', PHONE);
    await page.getByRole('link', { name: /^Operative Tasks/ }).click();
    for (const name of [/BS 5839/, /BS 5266/, /Monthly · HSG 274/, /Weekly · HSG 274/]) {
      await page.getByRole('link', { name }).waitFor();
    }
    await page.getByRole('link', { name: /BS 5839/ }).click();
    await page.getByRole('heading', { name: 'Fire alarm test' }).waitFor();
    await page.getByRole('link', { name: 'Back to Tasks' }).waitFor();
    // The check is due at both sites, so none is chosen.
    await chooseSite(page, 'Harbour House');
    // A point not tested yet comes first; the field shows which one.
    const chosen = page.getByRole('button', { name: /^Test location: (Front Door|Basement)$/ });
    await chosen.waitFor();
    const name = (await chosen.getAttribute('aria-label')) ?? '';
    const point = name.replace('Test location: ', '');
    // No result is chosen beforehand.
    expect(await page.locator('[aria-pressed=true]').count()).toBe(0);
    expect(await page.getByLabel('Operative').inputValue()).toBe('Aisha Khan');
    expect(await page.getByLabel('Date').inputValue()).toBe(dayOf(clock.now()));
    await record(page);
    await page.getByText('Missing information').waitFor();
    // The message is shown once at the result and once in the toast.
    await expect.poll(() => page.getByText('Please fill in all required fields.').count()).toBe(2);
    await page.getByRole('button', { name: 'Fail' }).click();
    await record(page);
    await page.getByText('Log number').waitFor();
    await expect
      .poll(() => page.getByText('Fire alarm test record saved successfully.').count())
      .toBeGreaterThan(0);
    await page
      .getByText(/^Issue .+-\d{4} was raised$/)
      .first()
      .waitFor();

    await page.goto('/dashboard');
    await page.getByText('Raised from my checks').waitFor();
    const raised = page.getByRole('listitem').filter({ hasText: new RegExp(`${point}, `) });
    await raised.getByText('Open', { exact: true }).waitFor();

    // A person who may not see issues still sees the state of their own, live.
    await page.locator('[data-live=live]').waitFor();
    const { server } = setting;
    const manager = await createPerson(server.services, { role: 'manager', buildings: [here.harbour.id] });
    const api = createTestClient(server.url, await signInAs(server, manager));
    const [issue] = await server.services.db.execute<{ id: string }>(
      sql`select id from building_issues where source = 'check' order by created_at desc limit 1`,
    );
    const id = issue?.id ?? '';
    await api.issues.comment.mutate({
      operationId: uuidv7(),
      id: uuidv7(),
      issueId: id,
      body: 'Engineer comes at two',
    });
    await raised.getByText('Engineer comes at two').waitFor();
    await api.issues.update.mutate({
      operationId: uuidv7(),
      id,
      changes: { status: { from: 'open', to: 'in_progress' } },
    });
    await raised.getByText('In Progress').waitFor();
  });
});

describe('the emergency lighting form', () => {
  test('takes pass, fail or not tested with its reason for each fitting', async () => {
    const page = await here.openForm('emergency-lighting', here.harbour);
    await page.getByText('Annual duration').click();
    await page.getByText('Batteries need up to 24 hours to recharge', { exact: false }).waitFor();
    await group(page, 'Result of Exit sign').getByRole('button', { name: 'Pass' }).click();
    await group(page, 'Result of Bulkhead').getByRole('button', { name: 'Not tested' }).click();
    await page.getByLabel('Why it was not tested').fill('Behind a locked door');
    await page.getByLabel('Minutes it stayed lit of Exit sign').fill('180');
    await page.getByLabel('Supply restored, charge indicators on').check();
    await record(page);
    await expect
      .poll(() => page.getByText('Emergency lighting test records have been saved.').count())
      .toBeGreaterThan(0);
    await page.getByText('Log number').waitFor();
  });
});

describe('the water temperature form', () => {
  test('keeps what was typed over a reload, and records it with what it raises', async () => {
    const page = await here.openForm('water-temperature', here.harbour);
    await temperature(page, 'Kitchen tap').fill('23.4');
    await page.getByText('Above 20 °C').waitFor();
    await page.getByText('20 °C or below is satisfactory').waitFor();
    await page.getByText('Saving this will raise a building issue.').waitFor();
    await page.getByText(/^Draft saved on this phone/).waitFor();
    await page.reload();
    await page.getByText(/^Your draft from .+ is back\.$/).waitFor();
    expect(await temperature(page, 'Kitchen tap').inputValue()).toBe('23.4');
    await recordAnyway(page);
    await expect
      .poll(() => page.getByText('Water temperature checks have been recorded.').count())
      .toBeGreaterThan(0);
    await page
      .getByText(/^Issue .+-\d{4} was raised$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Record another' }).click();
    // The draft has become the record.
    await temperature(page, 'Kitchen tap').waitFor();
    expect(await temperature(page, 'Kitchen tap').inputValue()).toBe('');
  });
});

describe('the outlet flushing form', () => {
  test('wants something flushed or a note; without a signal it is kept, and received later', async () => {
    const page = await here.openForm('outlet-flushing', here.harbour);
    await group(page, 'Flushing of Basin').waitFor();
    await record(page);
    await page.getByText('Please select at least one outlet to record as flushed.').waitFor();
    await group(page, 'Flushing of Basin').getByRole('button', { name: 'Flushed' }).click();
    await group(page, 'Flushing of Kitchen tap').getByRole('button', { name: 'Could not flush' }).click();
    await record(page);
    await page.getByText('Please say why it could not be flushed.').waitFor();
    await page.getByLabel('Why it could not be flushed').fill('Room locked');
    await page.getByLabel('Minutes flushed of Basin').fill('2.5');

    await page.context().setOffline(true);
    await page.getByText('No signal', { exact: false }).waitFor();
    await record(page);
    await page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
    await page.getByText('1 waiting').waitFor();
    expect(await page.getByText('Outlet flushing checks have been recorded.').count()).toBe(0);

    await page.context().setOffline(false);
    await page.getByText('Log number').waitFor();
    await page.getByRole('heading', { name: /^Received \d\d:\d\d$/ }).waitFor();
    await expect
      .poll(() => page.getByText('Outlet flushing checks have been recorded.').count())
      .toBeGreaterThan(0);
  });
});

test('a false alarm is recorded without a signal, and received later', async () => {
  const page = await here.openForm('false-alarm', here.harbour);
  await page.getByLabel('Time of the alarm').fill('00:05');
  await group(page, 'Set off by').getByRole('button', { name: 'Call point' }).click();
  await choose(page, 'Call point', 'Basement');
  await page.getByLabel('Cause').fill('Struck by a trolley');
  await page.getByLabel('Action taken').fill('Panel reset');
  await page.context().setOffline(true);
  await page.getByText('No signal', { exact: false }).waitFor();
  await record(page);
  await page.getByRole('heading', { name: 'Saved on this phone' }).waitFor();
  await page.context().setOffline(false);
  await page.getByText('Log number').waitFor();
  await expect.poll(() => page.getByText(falseAlarmMessages.saved).count()).toBeGreaterThan(0);
});
