import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Role } from '#shared/permissions.ts';
import { openAs, PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, createPerson, TEST_PASSWORD } from '#tests/support/rows/factories.ts';
import { fillIn } from '#tests/support/screens/sign-in.ts';
import type { TestServer } from '#tests/support/server/server.ts';

/** The limit of requests: a slow phone makes six at a time, so more would need another round over the network. */
const REQUESTS = 15;
/** A card with its figure: the page is usable. */
const FIRST: Readonly<Record<Role, RegExp>> = {
  admin: /^Building Issues.*none open/,
  manager: /^Building Issues.*none open/,
  operative: /^Operative Tasks.*due/,
  viewer: /^Building Issues.*none open/,
};

const setting = setUpWebSetting();
let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  ({ server, browser } = setting);
});

test.each(Object.entries(FIRST))(
  'the first page of a person with the role %s takes few requests',
  async (role, card) => {
    const building = await createBuilding(server.services);
    const access = role === 'admin' ? {} : { buildings: [building.id] };
    const person = await createPerson(server.services, {
      role: role as Role,
      password: TEST_PASSWORD,
      ...access,
    });
    const page = await openAs(browser, server, null, PHONE);
    await page.goto('/auth/login');
    await page.getByRole('button', { name: 'Sign In' }).waitFor();
    await page.waitForLoadState('networkidle');
    // Counted from the first key on, because the code of the first page is fetched while a person types.
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await fillIn(page, person.email, TEST_PASSWORD);
    await page.getByRole('link', { name: card }).waitFor();
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(REQUESTS);
  },
);
