import axe from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';
import { matchPath } from 'react-router-dom';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Services } from '#server/kernel/context.ts';
import { addDays, dayOf } from '#shared/dates.ts';
import { accountMessages } from '#shared/features/account-messages.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { heldMessages } from '#shared/features/checks/held-messages.ts';
import { emergencyLightingMessages } from '#shared/features/checks/kinds/emergency-lighting.vocabulary.ts';
import { fireAlarmMessages } from '#shared/features/checks/kinds/fire-alarm.vocabulary.ts';
import { outletFlushingMessages } from '#shared/features/checks/kinds/outlet-flushing.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { scheduleMessages } from '#shared/features/checks/schedule-messages.ts';
import { browserMessages } from '#shared/features/document-browser-messages.ts';
import { documentMessages } from '#shared/features/documents-messages.ts';
import { scanMessages } from '#shared/features/scan-messages.ts';
import { taskMessages } from '#shared/features/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { addFolder } from '#tests/support/rows/documents.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { addFileRows } from '#tests/support/rows/file-rows.ts';
import { openDetails, reportIssues } from '#tests/support/screens/issues-screen.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { pages } from '#web/app/pages.ts';

/** Findings are polled until the page has settled, because transitions cause false ones. */
const SETTLED = { timeout: 20_000, interval: 100 };

const DESK = { width: 1440, height: 900 };

declare global {
  interface Window {
    /** Injected into each page under test. */
    axe: typeof axe;
  }
}

let setting: WebSetting;
let people: Record<'admin' | 'manager' | 'operative' | 'viewer', TestPerson>;
let building: TestBuilding;

beforeAll(async () => {
  setting = await createWebSetting();
  const { server } = setting;
  building = await createBuilding(server.services, { name: 'Harbour House', code: 'HAR' });
  const buildings = [building.id, (await createBuilding(server.services)).id];
  people = {
    admin: await createPerson(server.services, { role: 'admin' }),
    manager: await createPerson(server.services, { role: 'manager', buildings }),
    operative: await createPerson(server.services, { role: 'operative', buildings }),
    viewer: await createPerson(server.services, { role: 'viewer', buildings }),
  };
  await reportIssues(server, people.admin, building, [
    { title: 'Lift 2 stuck', description: 'Between two floors', priority: 'critical' },
    { title: 'Roof leak', priority: 'high' },
    { title: 'Gate hinge' },
    { title: 'Scuffed paint', priority: 'low' },
  ]);
  const api = createTestClient(server.url, await signInAs(server, people.admin));
  const asset = { id: ASSET_ID, buildingId: building.id, name: 'Basin tap', description: 'By the window' };
  await api.assets.create.mutate({ operationId: uuidv7(), ...asset });
  const { id: taskId } = await api.tasks.create.mutate({
    operationId: uuidv7(),
    id: TASK_ID,
    buildingId: building.id,
    complianceSystem: 'Lifts',
    taskDescription: 'Thorough examination',
    frequency: 'biannually',
  });
  const today = dayOf(Date.now());
  await api.tasks.complete.mutate({ operationId: uuidv7(), id: taskId, occurrence: 1, day: today });
  await recordChecks(server.services, api);
  await addTasks(api);
  await addDocuments(server.services, api);
});
afterAll(() => setting.end());

/** Records a failed fire alarm test and a reading at the first building. */
async function recordChecks(services: Services, api: TestClient): Promise<void> {
  const now = new Date().toISOString();
  const site = { buildingId: building.id, now };
  const sink = await createAsset(services, { ...site, type: 'water_outlet', name: 'Kitchen sink' });
  const test = { ...lineOf('fire_alarm_test', 'fail', sink.id), assetId: null };
  await api.checks.record.mutate(visitOf('fire_alarm_test', { ...site, entries: [test] }));
  for (const name of ['Exit sign', 'Bulkhead']) {
    await createAsset(services, { ...site, type: 'emergency_light', name });
  }
  const reading = lineOf('water_temperature_check', 'pass', sink.id);
  await api.checks.record.mutate(visitOf('water_temperature_check', { ...site, entries: [reading] }));
  // A held record, at a building that its recorder has no access to.
  const { id: elsewhere } = await createBuilding(services, { name: 'Mill Lane Studios' });
  const operative = createTestClient(setting.server.url, await signInAs(setting.server, people.operative));
  const held = { ...lineOf('fire_alarm_test', 'fail', sink.id), assetId: null };
  await operative.checks.record.mutate(
    visitOf('fire_alarm_test', { ...site, buildingId: elsewhere, entries: [held] }),
  );
}

/** Adds a task that is overdue, one that a check satisfies, and one that is marked. */
async function addTasks(api: TestClient): Promise<void> {
  const add = (values: { taskDescription: string; lastDone?: string; check?: 'alarm_test' }) => {
    const id = uuidv7();
    const base = { operationId: uuidv7(), id, buildingId: building.id, complianceSystem: 'Fire Alarm' };
    return api.tasks.create.mutate({ ...base, frequency: 'weekly', responsiblePerson: 'Ann', ...values });
  };
  await add({ taskDescription: 'Service', lastDone: '2025-01-31' });
  await add({ taskDescription: 'Weekly test', check: 'alarm_test' });
  const { id } = await add({ taskDescription: 'Panel' });
  await api.tasks.mark.mutate({ operationId: uuidv7(), id, reason: 'The buzzer is broken' });
}

/** Adds two folders and a file to a discipline of the first building, and a certificate to a completion. */
async function addDocuments(services: Services, api: TestClient): Promise<void> {
  const disciplineId = uuidv7();
  await api.documents.disciplines.add.mutate({
    operationId: uuidv7(),
    id: disciplineId,
    name: 'Fire Safety',
  });
  const place = { at: 'discipline', disciplineId } as const;
  for (const name of ['Plans', 'Drawings']) await addFolder(api, { buildingId: building.id, name, place });
  const { completionId } = (await api.tasks.get.query({ id: TASK_ID })).data;
  const today = dayOf(Date.now());
  await addFileRows(services, { buildingId: building.id, by: people.admin.id }, [
    { fileName: 'Service.pdf', disciplineId, expiresOn: addDays(today, 9) },
    { fileName: 'Examination.pdf', completionId, expiresOn: addDays(today, -9) },
  ]);
}

/** A screen under test: its address and role, the heading that shows it has loaded, and an action. */
type Screen = {
  path: string;
  who: 'visitor' | keyof typeof people;
  heading: string | RegExp;
  /** Runs before the scan. */
  act?: (page: Page) => Promise<unknown>;
  /** Runs after the window has become a phone's, for screens that lose the desktop's state. */
  actOnPhone?: (page: Page) => Promise<unknown>;
};

const NOBODYS_ID = '018f0000-0000-7000-8000-00000000dead';
const ASSET_ID = uuidv7();
const TASK_ID = uuidv7();
const issues = `${pages.buildingIssues.path}?building=all`;
const fireLog = `${pages.logbook.path}/fire-alarm`;
const allSites = `${pages.compliance.path}?building=all`;
const waterLog = `${pages.logbook.path}/water-temperature`;
const SCREENS: Readonly<Record<string, Screen>> = {
  landing: { path: pages.home.path, who: 'visitor', heading: 'Lintel' },
  'sign in': { path: pages.signIn.path, who: 'visitor', heading: 'Sign In' },
  'sign in, refused': {
    path: pages.signIn.path,
    who: 'visitor',
    heading: 'Sign In',
    act: async (page) => {
      await page.getByRole('button', { name: 'Sign In' }).click();
      await page.getByText('Please enter a valid email address').waitFor();
    },
  },
  'set up': { path: pages.setup.path, who: 'visitor', heading: 'Set up Lintel' },
  'not found': { path: '/no-such-page', who: 'visitor', heading: '404' },
  unauthorized: { path: pages.unauthorized.path, who: 'admin', heading: 'Unauthorized Access' },
  "an administrator's dashboard": { path: pages.dashboard.path, who: 'admin', heading: 'Dashboard' },
  "an operative's dashboard": { path: pages.dashboard.path, who: 'operative', heading: /Welcome/ },
  "a viewer's dashboard": { path: pages.dashboard.path, who: 'viewer', heading: /Welcome back/ },
  'the user menu': {
    path: pages.dashboard.path,
    who: 'admin',
    heading: 'Dashboard',
    act: async (page) => {
      await page.getByRole('button', { name: 'User menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    },
  },
  'the choice of a building': {
    path: `${pages.dashboard.path}?report=`,
    who: 'admin',
    heading: 'Dashboard',
    act: chooseBuilding,
    // The list of options is laid out for touch when it opens.
    actOnPhone: async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('option').first().waitFor({ state: 'detached' });
      await chooseBuilding(page);
    },
  },
  'the library of tasks': {
    path: `${pages.taskTemplates.path}?q=fire`,
    who: 'manager',
    heading: 'Statutory and recommended',
    act: async (page) => {
      await libraryOfHarbourHouse(page);
      await page
        .getByRole('checkbox', { name: /^Choose Fire Doors/ })
        .first()
        .check();
      await page.getByRole('button', { name: 'Preview 1 task(s)' }).waitFor();
    },
  },
  'what the library adds': {
    path: `${pages.taskTemplates.path}?q=fire`,
    who: 'manager',
    heading: 'Statutory and recommended',
    act: async (page) => {
      await libraryOfHarbourHouse(page);
      await page
        .getByRole('checkbox', { name: /^Choose Fire Doors/ })
        .first()
        .check();
      await page.getByRole('button', { name: 'Preview 1 task(s)' }).click();
      await page.getByRole('list', { name: 'To be added' }).waitFor();
    },
  },
  'the users': {
    path: pages.userManagement.path,
    who: 'admin',
    heading: 'User Management',
    act: (page) => page.getByRole('article').first().waitFor(),
  },
  places: { path: pages.locations.path, who: 'admin', heading: 'Location Management' },
  'a new location': { path: pages.addLocation.path, who: 'admin', heading: 'Add New Location' },
  'a new building': { path: pages.addBuilding.path, who: 'admin', heading: 'Add Building' },
  'a new task': { path: pages.addTask.path, who: 'manager', heading: 'Add Task' },
  'a new task, refused, with another frequency': {
    path: pages.addTask.path,
    who: 'manager',
    heading: 'Add Task',
    act: async (page) => {
      await page.getByLabel('Frequency').selectOption('Other…');
      await page.getByLabel('Next due date').selectOption('Fixed weekday of the month');
      await page.getByRole('button', { name: 'Add Task' }).click();
      await page.getByText(taskMessages.locationRequired).waitFor();
    },
  },
  'a task': {
    path: `${pages.editNoTask.path}/${TASK_ID}`,
    who: 'manager',
    heading: /^Edit HAR-T/,
    act: (page) => page.getByLabel('Task Description').waitFor(),
  },
  'a task that does not exist': {
    path: `${pages.editNoTask.path}/${NOBODYS_ID}`,
    who: 'manager',
    heading: 'Edit Task',
    act: (page) => page.getByText(taskMessages.notFound(NOBODYS_ID)).waitFor(),
  },
  'no task': { path: pages.editNoTask.path, who: 'manager', heading: 'Edit Task' },
  assets: {
    path: pages.assets.path,
    who: 'manager',
    heading: 'Asset Management',
    act: (page) => page.getByText('Basin tap').first().waitFor(),
  },
  'an asset': { path: `${pages.assets.path}/${ASSET_ID}`, who: 'manager', heading: 'Basin tap' },
  'no labels': { path: pages.assetLabels.path, who: 'manager', heading: 'QR labels' },
  labels: {
    path: `${pages.assetLabels.path}?ids=${ASSET_ID}`,
    who: 'manager',
    heading: 'QR labels',
    act: (page) => page.getByRole('article').getByText('Basin tap').waitFor(),
  },
  'an asset that is gone': { path: `${pages.assets.path}/${NOBODYS_ID}`, who: 'manager', heading: 'Asset' },
  'a label that is scanned': { path: `/a/${NOBODYS_ID}`, who: 'manager', heading: 'Asset' },
  'the documents of a building': {
    path: pages.documents.path,
    who: 'viewer',
    heading: pages.documents.title,
    act: openFireSafety,
  },
  'a document whose file is gone': {
    path: pages.documents.path,
    who: 'viewer',
    heading: pages.documents.title,
    act: async (page) => {
      await openFireSafety(page);
      await page.getByRole('link', { name: 'Service.pdf' }).click();
      await page.getByText(documentMessages.inaccessible).waitFor();
    },
  },
  'the management of documents': {
    path: `${pages.userManagement.path}?tab=documents&view=list`,
    who: 'admin',
    heading: 'User Management',
    act: async (page) => {
      await openFireSafety(page);
      await page.getByRole('checkbox', { name: 'Select Plans' }).check();
      await page.getByRole('region', { name: 'Selected documents' }).waitFor();
    },
  },
  'a new folder': {
    path: `${pages.userManagement.path}?tab=documents`,
    who: 'admin',
    heading: 'User Management',
    act: async (page) => {
      await openFireSafety(page);
      await page.getByRole('button', { name: 'New Folder' }).click();
      await page.getByLabel(documentMessages.folderNameLabel).waitFor();
    },
  },
  'a move of a folder': {
    path: `${pages.userManagement.path}?tab=documents`,
    who: 'admin',
    heading: 'User Management',
    act: async (page) => {
      await openFireSafety(page);
      await page.getByRole('button', { name: 'Actions for Plans' }).click();
      await page.getByRole('menuitem', { name: 'Move' }).click();
      await page.getByRole('radio', { name: 'Drawings' }).waitFor();
    },
  },
  'the bin of a building': {
    path: `${pages.userManagement.path}?tab=documents`,
    who: 'admin',
    heading: 'User Management',
    act: async (page) => {
      await documentsOfHarbourHouse(page);
      await page.getByRole('button', { name: 'Bin' }).click();
      await page.getByText(browserMessages.binEmpty).waitFor();
    },
  },
  'the disciplines': {
    path: `${pages.userManagement.path}?tab=disciplines`,
    who: 'admin',
    heading: 'User Management',
  },
  'what is saved on this phone': { path: pages.sync.path, who: 'operative', heading: offlineMessages.title },
  'my account': { path: pages.account.path, who: 'viewer', heading: pages.account.title },
  'an invitation that is not valid': { path: '/invite/x', who: 'visitor', heading: 'Link not valid' },
  'a forgotten password': { path: pages.forgot.path, who: 'visitor', heading: accountMessages.forgot },
  'a link that is not valid': { path: '/reset/x', who: 'visitor', heading: 'Link not valid' },
  'compliance of all sites': {
    path: allSites,
    who: 'viewer',
    heading: pages.compliance.title,
    act: (page) => page.locator('[data-site]').first().waitFor(),
  },
  "a building's tasks": {
    path: allSites,
    who: 'manager',
    heading: pages.compliance.title,
    act: openTasks,
  },
  'a task’s calendar': {
    path: allSites,
    who: 'manager',
    heading: pages.compliance.title,
    act: openCalendar,
    // It lies elsewhere on a phone.
    actOnPhone: async (page) => {
      await page.keyboard.press('Escape');
      await openCalendar(page);
    },
  },
  'the record of a task': {
    path: allSites,
    who: 'manager',
    heading: pages.compliance.title,
    act: async (page) => {
      await openTasks(page);
      await page.getByRole('link', { name: /Panel/ }).click();
      await page.getByText('Marked as non-compliant on').waitFor();
    },
  },
  'the certificates of a task': {
    path: allSites,
    who: 'manager',
    heading: pages.compliance.title,
    act: async (page) => {
      await openTasks(page);
      await page.getByRole('link', { name: /Thorough examination/ }).click();
      await page.getByRole('button', { name: 'Examination.pdf' }).first().waitFor();
      await page.getByRole('button', { name: /^Attach certificate/ }).waitFor();
    },
  },
  'a selection of tasks to reassign': {
    path: allSites,
    who: 'manager',
    heading: pages.compliance.title,
    act: async (page) => {
      await openTasks(page);
      await page
        .getByRole('checkbox', { name: /^Select all/ })
        .first()
        .check();
      await page.getByRole('button', { name: 'Reassign…' }).click();
      await page.getByLabel('Responsible Person').waitFor();
    },
  },
  'the reason of a mark': {
    path: allSites,
    who: 'manager',
    heading: pages.compliance.title,
    act: async (page) => {
      await openTasks(page);
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: /^Mark/ }).click();
      await page.getByRole('button', { name: 'Mark non-compliant' }).click();
      await page.getByText(taskMessages.reasonRequired).waitFor();
    },
  },
  activity: { path: pages.activity.path, who: 'admin', heading: pages.activity.title },
  displays: { path: pages.displays.path, who: 'admin', heading: pages.displays.title },
  'an import': { path: pages.import.path, who: 'admin', heading: pages.import.title },
  'issues, none chosen': { path: pages.buildingIssues.path, who: 'viewer', heading: 'Select a Building' },
  'the log book': { path: pages.logbook.path, who: 'manager', heading: pages.logbook.title },
  'a log of all sites': { path: fireLog, who: 'viewer', heading: 'Fire alarm weekly log' },
  'a site’s weeks': {
    path: fireLog,
    who: 'operative',
    heading: 'Fire alarm weekly log',
    act: async (page) => {
      await page.getByRole('link', { name: /^Harbour House/ }).click();
      await page.getByRole('button', { name: logMessages.jump }).click();
      await page.locator('tr[data-week] a').first().waitFor();
    },
  },
  'the thread of a failure': {
    path: fireLog,
    who: 'manager',
    heading: 'Fire alarm weekly log',
    act: async (page) => {
      await page.locator('tr[data-entry] a').first().click();
      await page.getByText(logMessages.noRetest).waitFor();
    },
  },
  'an amendment': {
    path: fireLog,
    who: 'manager',
    heading: 'Fire alarm weekly log',
    act: async (page) => {
      await page.locator('tr[data-entry] a').first().click();
      await page.getByRole('button', { name: 'Amend' }).click();
      await page.getByRole('button', { name: 'Save amendment' }).click();
      await page.getByText(checkMessages.reasonRequired).waitFor();
    },
  },
  'the line of an outlet': {
    path: waterLog,
    who: 'manager',
    heading: 'Water temperature log',
    act: async (page) => {
      await page.getByRole('link', { name: /^Harbour House/ }).click();
      await page.getByRole('link', { name: 'Kitchen sink' }).click();
      await page.getByRole('img', { name: /1 readings/ }).waitFor();
    },
  },
  'the tasks of an operative': {
    path: pages.operativeTasks.path,
    who: 'operative',
    heading: 'Operative Tasks',
    act: (page) => page.getByRole('link', { name: /BS 5839/ }).waitFor(),
  },
  'a label before a camera that is not there': {
    path: pages.scan.path,
    who: 'operative',
    heading: scanMessages.title,
  },
  'a fire alarm test': {
    path: `${pages.operativeTasks.path}/fire-alarm`,
    who: 'operative',
    heading: 'Fire alarm test',
    act: async (page) => {
      await atHarbourHouse(page);
      await page.getByRole('button', { name: 'Fail' }).click();
      await page.getByRole('button', { name: /^Record/ }).click();
      await page.getByText(fireAlarmMessages.missingTitle).waitFor();
    },
  },
  'a water temperature check': {
    path: `${pages.operativeTasks.path}/water-temperature`,
    who: 'operative',
    heading: 'Water temperature check',
    act: async (page) => {
      await atHarbourHouse(page);
      await page.getByLabel('Temperature of Kitchen sink', { exact: true }).fill('23.4');
      await page.getByText(formMessages.willRaise).waitFor();
    },
  },
  'a refusal of a held record': {
    path: pages.heldRecords.path,
    who: 'admin',
    heading: heldMessages.title,
    act: async (page) => {
      await page.getByRole('button', { name: /^Refuse/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: heldMessages.refuse }).click();
      await page.getByText(checkMessages.reasonRequired).waitFor();
    },
  },
  'the held records': {
    path: pages.heldRecords.path,
    who: 'admin',
    heading: /Fire alarm test/,
  },
  "what waits of one's own": { path: pages.sync.path, who: 'operative', heading: heldMessages.mine },
  'a schedule': {
    path: pages.schedules.path,
    who: 'admin',
    heading: scheduleMessages.title,
    act: async (page) => {
      await page.getByRole('button', { name: /^Site/ }).click();
      await page.getByRole('option', { name: 'Harbour House' }).click();
      await page.getByRole('button', { name: 'Change: Outlet flushing' }).waitFor();
    },
  },
  'the change of a schedule': {
    path: pages.schedules.path,
    who: 'admin',
    heading: scheduleMessages.title,
    act: async (page) => {
      await page.getByRole('button', { name: /^Site/ }).click();
      await page.getByRole('option', { name: 'Harbour House' }).click();
      await page.getByRole('button', { name: 'Change: Outlet flushing' }).click();
      await page.getByRole('dialog').getByLabel(scheduleMessages.from).waitFor();
    },
  },
  'an outlet flushing': {
    path: `${pages.operativeTasks.path}/outlet-flushing`,
    who: 'operative',
    heading: 'Outlet flushing',
    act: async (page) => {
      await atHarbourHouse(page);
      await page.getByRole('button', { name: 'Could not flush' }).first().click();
      await page.getByRole('button', { name: /^Record/ }).click();
      await page.getByText(outletFlushingMessages.reasonNotFlushed).waitFor();
    },
  },
  'an emergency lighting test': {
    path: `${pages.operativeTasks.path}/emergency-lighting`,
    who: 'operative',
    heading: 'Emergency lighting test',
    act: async (page) => {
      await atHarbourHouse(page);
      await page.getByText('Annual duration').click();
      const sign = page.getByRole('group', { name: 'Result of Exit sign' });
      await sign.getByRole('button', { name: 'Pass' }).click();
      const bulkhead = page.getByRole('group', { name: 'Result of Bulkhead' });
      await bulkhead.getByRole('button', { name: 'Not tested' }).click();
      await page.getByRole('button', { name: /^Record/ }).click();
      await page.getByText(emergencyLightingMessages.supplyRequired).waitFor();
    },
  },
  'a receipt': {
    path: `${pages.operativeTasks.path}/fire-alarm`,
    who: 'operative',
    heading: 'Fire alarm test',
    act: async (page) => {
      await atHarbourHouse(page);
      await page.getByLabel('Test location').fill('Landing');
      await page.getByRole('button', { name: 'Fail' }).click();
      await page.getByRole('button', { name: /^Record/ }).click();
      await page.getByText('Log number').waitFor();
    },
  },
  'the board': { path: issues, who: 'manager', heading: 'Building Issues' },
  'the cards': { path: `${issues}&view=cards`, who: 'manager', heading: 'Building Issues' },
  'the list': { path: `${issues}&view=list`, who: 'manager', heading: 'Building Issues' },
  'nothing found': { path: `${issues}&q=nothing+says+this`, who: 'manager', heading: /No Issues Match/ },
  'the filters': {
    path: issues,
    who: 'manager',
    heading: 'Building Issues',
    act: (page) => openFilter(page, 'Priority'),
    actOnPhone: (page) => openFilter(page, 'Filters'),
  },
  'a report': {
    path: '',
    who: 'manager',
    heading: /^Report New Issue/,
    act: async (page) => {
      await page.getByRole('button', { name: 'Create Issue' }).click();
      await page.getByText('Title is required').waitFor();
    },
  },
  'the details of an issue': {
    path: issues,
    who: 'manager',
    heading: 'Building Issues',
    act: (page) => openDetails(page, 'Lift 2 stuck'),
  },
  'the details for reading': {
    path: issues,
    who: 'viewer',
    heading: 'Building Issues',
    act: (page) => openDetails(page, 'Lift 2 stuck'),
  },
  'the keys': {
    path: issues,
    who: 'manager',
    heading: 'Building Issues',
    act: async (page) => {
      await page.getByRole('article').first().waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
};

test('every address of the product is among the screens looked at', () => {
  const seen = Object.values(SCREENS).map(({ path }) => path.split('?')[0] ?? '');
  const missing = Object.values(pages).filter(
    (page) => !seen.some((path) => path === page.path || matchPath(page.path, path) !== null),
  );
  expect(missing).toEqual([]);
});

/** Selects the site of a record form, unless it is carried over from the form before. */
async function atHarbourHouse(page: Page): Promise<void> {
  const site = page.getByRole('button', { name: /^Site: / });
  await site.waitFor();
  if ((await site.getAttribute('aria-label')) === 'Site: Harbour House') return;
  await site.click();
  await page.getByRole('option', { name: 'Harbour House' }).click();
}

async function libraryOfHarbourHouse(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Building: / }).click();
  await page.getByRole('option', { name: 'Harbour House' }).click();
  await page.getByRole('region', { name: 'To confirm' }).waitFor();
}

async function documentsOfHarbourHouse(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Building: / }).click();
  await page.getByRole('option', { name: 'Harbour House' }).click();
  await page.getByRole('link', { name: 'Fire Safety' }).waitFor();
}

/** Opens the discipline that has folders. */
async function openFireSafety(page: Page): Promise<void> {
  await documentsOfHarbourHouse(page);
  await page.getByRole('link', { name: 'Fire Safety' }).click();
  await page.getByRole('link', { name: 'Drawings' }).waitFor();
}

async function chooseBuilding(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Choose a building/ }).click();
  await page.getByRole('option').first().waitFor();
}

/** Opens the tasks of the building that has some. */
async function openTasks(page: Page): Promise<void> {
  const site = page.locator('[data-site] a').first();
  await site.or(page.locator('[data-task]').first()).first().waitFor();
  // The last choice is remembered.
  if (await site.isVisible()) await site.click();
  await page.locator('[data-task]').first().waitFor();
}

async function openCalendar(page: Page): Promise<void> {
  if ((await page.locator('[data-task]').count()) === 0) await openTasks(page);
  await page
    .getByRole('button', { name: /^Last completed/ })
    .first()
    .click();
  await page.getByRole('grid').waitFor();
}

async function openFilter(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByText('Critical').last().waitFor();
}

type OpenWindow = { page: Page; session: CDPSession };

/** One window per role: a screen in a window that has loaded the app before costs a third of one in a new tab. */
const windows = new Map<Screen['who'], Promise<OpenWindow>>();

async function open({ who, path }: Screen): Promise<OpenWindow> {
  const before = windows.get(who);
  const opening = before ?? openFor(who);
  windows.set(who, opening);
  const { page, session } = await opening;
  if (before !== undefined) {
    await page.evaluate(() => sessionStorage.clear());
    await becomeDesk(session);
  }
  await page.goto(path === '' ? `${issues}&report=${building.id}` : path);
  await page.waitForFunction((px) => innerWidth === px && matchMedia('(pointer: fine)').matches, DESK.width);
  return { page, session };
}

async function openFor(who: Screen['who']): Promise<OpenWindow> {
  const page = await setting.window(who === 'visitor' ? null : people[who], { viewport: DESK });
  return { page, session: await page.context().newCDPSession(page) };
}

/** Turns the window back into one at a desk. */
async function becomeDesk(session: CDPSession): Promise<void> {
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  await session.send('Emulation.setDeviceMetricsOverride', { ...DESK, deviceScaleFactor: 1, mobile: false });
}

/** Turns the window into a phone's: narrow, with touch input. */
async function becomePhone({ page, session }: OpenWindow, width: 390 | 360): Promise<void> {
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const metrics = { width, height: width === 390 ? 844 : 640, deviceScaleFactor: 1, mobile: true };
  await session.send('Emulation.setDeviceMetricsOverride', metrics);
  await page.waitForFunction((px) => innerWidth === px && matchMedia('(pointer: coarse)').matches, width);
}

/** Asserts that the page does not scroll sideways. */
async function nothingBeside(page: Page): Promise<void> {
  const beside = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
  await expect.poll(beside).toBeLessThanOrEqual(0);
}

const settled = (page: Page) => page.waitForFunction(() => document.querySelector('.shimmer') === null);

test.each(Object.entries(SCREENS))(
  '%s: nothing serious, at the desk and on the phone, light and dark',
  async (_name, screen) => {
    const window = await open(screen);
    const { page } = window;
    // Also hidden: a dialog that opens with the page makes the page inert.
    await page.getByRole('heading', { name: screen.heading, includeHidden: true }).first().waitFor();
    await screen.act?.(page);
    await settled(page);
    await page.evaluate(axe.source);
    await nothingSerious(page, 'at the desk');
    await nothingBeside(page);

    await becomePhone(window, 390);
    await screen.actOnPhone?.(page);
    await settled(page);
    await nothingSerious(page, 'on the phone');
    await nothingBeside(page);
    await becomePhone(window, 360);
    await nothingBeside(page);
  },
);

/** Scans the page in light mode, then its contrast in dark mode, which changes colours only. */
async function nothingSerious(page: Page, where: string): Promise<void> {
  await expect.poll(() => seriousIn(page), { ...SETTLED, message: `${where}, light` }).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  const contrast = () => seriousIn(page, ['color-contrast']);
  await expect.poll(contrast, { ...SETTLED, message: `${where}, dark` }).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

function seriousIn(page: Page, rules?: string[]): Promise<string[]> {
  return page.evaluate(async (only) => {
    const options = only === undefined ? {} : { runOnly: only };
    // Only violations: the other results are not used, and describing them takes most of the time.
    const { violations } = await window.axe.run({ resultTypes: ['violations'], ...options });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => {
        const places = nodes.map(({ target, any }) => `${target.join(' ')} ${any[0]?.message ?? ''}`);
        return `${id}: ${places.join(', ')}`;
      });
  }, rules);
}
