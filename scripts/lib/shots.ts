import type { Page } from 'playwright-core';
import { pairScreen, requestCode } from '#scripts/lib/pair-screen.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import { pages } from '#web/app/pages.ts';
import { type Account, expandFilters, type Shot } from './shot.ts';
import { CHECK_OFFICE, LOGS, TASKS } from './shots-checks.ts';
import { DOCUMENTS, DOCUMENTS_MANAGED, UPLOADING } from './shots-documents.ts';
import { firstIssue, ISSUE_STATES, ISSUES } from './shots-issues.ts';
import { SYNC, TASKS_WAITING } from './shots-sync.ts';
import { TASK_FORMS } from './shots-task-forms.ts';
import { COMPLIANCE, COMPLIANCE_OPENED } from './shots-tasks.ts';

/** Screens that need no sign-in. */
export const VISITOR: readonly Shot[] = [
  { name: 'landing', path: '/' },
  {
    name: 'landing-more',
    path: '/',
    act: async (page) => {
      await page.getByRole('button', { name: 'Learn More' }).click();
    },
  },
  { name: 'login', path: '/auth/login' },
  {
    name: 'login-refused',
    path: '/auth/login',
    act: async (page) => {
      await page.getByRole('button', { name: 'Sign In' }).click();
      await page.getByText('Please enter a valid email address').waitFor();
    },
  },
  { name: 'not-found', path: '/no-such-page' },
];

const menu: Shot = {
  name: 'user-menu',
  path: '/dashboard',
  act: async (page) => {
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  },
};
const report: Shot = {
  name: 'dashboard-report',
  path: '/dashboard',
  act: async (page) => {
    await page.getByRole('button', { name: 'Report Issue' }).click();
    await page.getByRole('button', { name: /Choose a building/ }).click();
    await page.getByRole('option').first().waitFor();
  },
};
const reportForm: Shot = {
  name: 'dashboard-report-form',
  path: '/dashboard',
  act: async (page) => {
    await report.act?.(page);
    await page.getByRole('option').first().click();
    await page.getByLabel('Title').waitFor();
  },
};
const places: Shot = {
  name: 'locations-chosen',
  path: '/locations',
  act: async (page) => {
    await page.getByRole('region', { name: 'Clients' }).getByRole('listitem').first().click();
    await page.getByRole('region', { name: 'Buildings' }).getByRole('listitem').first().click();
    await page.getByRole('region', { name: 'Floors' }).getByRole('listitem').first().waitFor();
  },
};
const asset: Shot = {
  name: 'asset',
  path: '/asset-management',
  act: async (page) => {
    await page.locator('[data-asset] a').first().click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
  },
};

const links: Shot = {
  name: 'menu',
  path: '/dashboard',
  phone: true,
  act: async (page) => {
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem').first().waitFor();
  },
};
const callerAt = (page: Page) => ({ request: page.request, origin: new URL(page.url()).origin });
/** Ensures that a display exists: the first picture that needs a display pairs one, later pictures reuse it. */
const oneDisplay = async (page: Page): Promise<void> => {
  const menus = page.getByRole('button', { name: /^Actions for / });
  if ((await menus.count()) > 0) return;
  await pairScreen(callerAt(page), await requestCode(callerAt(page)), 'Reception, ground floor');
  await menus.waitFor();
};
const displayMenu = async (page: Page): Promise<void> => {
  await oneDisplay(page);
  await page
    .getByRole('button', { name: /^Actions for / })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
};
const checkCode = async (page: Page): Promise<void> => {
  const code = await requestCode(callerAt(page));
  await page.getByRole('button', { name: 'Pair Display' }).click();
  await page.getByLabel('Code on the screen').fill(code);
  await page.getByRole('button', { name: displayMessages.looked }).click();
  await page.getByText(displayMessages.compare).waitFor();
};
const DISPLAYS: readonly Shot[] = [
  {
    name: 'displays-code',
    path: '/displays',
    act: async (page) => {
      await page.getByRole('button', { name: 'Pair Display' }).click();
      await page.getByLabel('Code on the screen').fill('BCDF');
      await page.getByRole('button', { name: displayMessages.looked }).click();
      await page.getByText(displayMessages.codeShort).waitFor();
    },
  },
  { name: 'displays-pair', path: '/displays', act: checkCode },
  { name: 'displays', path: '/displays', act: oneDisplay },
  { name: 'displays-menu', path: '/displays', act: displayMenu },
  {
    name: 'displays-edit',
    path: '/displays',
    act: async (page) => {
      await displayMenu(page);
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Buildings', { exact: true }).selectOption('some');
      await dialog.getByLabel('Seconds for each page').fill('3');
      await dialog.getByLabel('Dimmed from').selectOption('20');
    },
  },
  {
    name: 'displays-unpair',
    path: '/displays',
    act: async (page) => {
      await displayMenu(page);
      await page.getByRole('menuitem', { name: 'Unpair' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
];
/** Dialogs and menus that open above a page. */
const OPENED: readonly Shot[] = [
  links,
  {
    name: 'issues-sites',
    path: ISSUES,
    act: async (page) => {
      await page.getByRole('button', { name: /^Building: / }).click();
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'issues-filters',
    path: ISSUES,
    phone: true,
    act: async (page) => {
      await page.getByRole('button', { name: /^Filters/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'issues-status',
    path: ISSUES,
    wide: true,
    act: async (page) => {
      await page.getByRole('button', { name: /^Status/ }).click();
    },
  },
  {
    name: 'issues-shortcuts',
    path: ISSUES,
    wide: true,
    act: async (page) => {
      await page.locator('[data-card]').first().waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  expandFilters('asset-filters', '/asset-management'),
  expandFilters('activity-filters', '/activity?kind=building'),
  {
    name: 'asset-menu',
    path: '/asset-management',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Actions/ })
        .first()
        .click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'asset-edit',
    path: '/asset-management',
    act: async (page) => {
      await page.locator('[data-asset] a').first().click();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'users-invite',
    path: '/user-management',
    act: async (page) => {
      await page.getByRole('button', { name: 'Invite User' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
];

async function chooseHarbourHouse(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Building: / }).click();
  await page.getByRole('option', { name: 'Harbour House' }).click();
  await page.getByRole('region', { name: 'Missing here' }).waitFor();
}
const TEMPLATES: readonly Shot[] = [
  { name: 'templates-unchosen', path: '/task-templates' },
  { name: 'templates', path: '/task-templates', act: chooseHarbourHouse },
  {
    name: 'templates-preview',
    path: '/task-templates',
    act: async (page) => {
      await chooseHarbourHouse(page);
      await page
        .getByRole('checkbox', { name: /^Choose / })
        .and(page.locator(':enabled'))
        .first()
        .check();
      await page.getByRole('button', { name: /^Preview/ }).click();
      await page.getByRole('list', { name: 'To be added' }).waitFor();
    },
  },
];

/** Screens in states that an administrator has set up. */
const ADMINS: readonly Shot[] = [
  { name: 'dashboard', path: '/dashboard' },
  menu,
  report,
  reportForm,
  { name: 'issues-unchosen', path: '/building-issues' },
  { name: 'issues', path: ISSUES },
  { name: 'issues-cards', path: `${ISSUES}&view=cards` },
  { name: 'issues-list', path: `${ISSUES}&view=list` },
  { name: 'issues-nothing-matches', path: `${ISSUES}&q=no-issue-says-this` },
  firstIssue,
  ...ISSUE_STATES,
  places,
  { name: 'assets', path: '/asset-management' },
  asset,
  { name: 'users', path: '/user-management' },
  { name: 'users-disciplines', path: '/user-management?tab=disciplines' },
  { name: 'users-locations', path: '/user-management?tab=locations' },
  ...DISPLAYS,
  { name: 'import-tasks', path: '/import?kind=tasks' },
  ...TEMPLATES,
  ...OPENED,
  ...COMPLIANCE,
  ...COMPLIANCE_OPENED,
  ...LOGS,
  ...CHECK_OFFICE,
  ...TASK_FORMS,
  ...DOCUMENTS,
  ...DOCUMENTS_MANAGED,
  ...SYNC,
  UPLOADING,
];

/** The pages that no picture shows yet, as an administrator first sees them. */
function remainingPages(): Shot[] {
  const named = new Set([...VISITOR, ...ADMINS].map(({ path }) => path));
  return Object.entries(pages)
    .filter(([, { path, access }]) => access !== 'public' && !named.has(path) && !path.includes(':'))
    .map(([name, { path }]) => ({
      name: name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      path,
    }));
}

/** Screens by sample account. */
export const ACCOUNTS: Readonly<Record<Account, readonly Shot[]>> = {
  admin: [...ADMINS, ...remainingPages()],
  manager: [
    { name: 'dashboard', path: '/dashboard' },
    { name: 'issues', path: ISSUES },
    firstIssue,
    { name: 'assets', path: '/asset-management' },
    ...COMPLIANCE,
    ...TASKS.filter(({ name }) => name === 'operative-tasks'),
  ],
  operative: [
    { name: 'dashboard', path: '/dashboard' },
    menu,
    links,
    { name: 'account', path: '/account' },
    ...TASKS,
    ...LOGS.filter(({ name }) => !/^log-(amend|reason)$/.test(name)),
    ...COMPLIANCE,
    ...TASKS_WAITING,
  ],
  viewer: [
    { name: 'dashboard', path: '/dashboard' },
    { name: 'issues', path: ISSUES },
    firstIssue,
    { name: 'locations', path: '/locations' },
    { name: 'assets', path: '/asset-management' },
    ...LOGS.filter(({ name }) => /^(logbook|log-thread)$/.test(name)),
    ...DOCUMENTS.filter(({ name }) => /^documents(-grid)?$/.test(name)),
  ],
};
