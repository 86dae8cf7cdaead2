import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { floors } from '#db/schema/places.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { WebSetting } from '../browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '../rows/factories.ts';
import { createTestClient, type TestClient } from '../server/client.ts';

/** Two buildings, the first with a ground floor, and a person who manages and one who reads their assets. */
export type AssetsSite = {
  harbour: TestBuilding;
  mill: TestBuilding;
  /** The id of the ground floor. */
  floor: string;
  manager: TestPerson;
  viewer: TestPerson;
  /** The manager's client. */
  client: TestClient;
  /** Adds an asset, in the first building unless another is given, and returns its id. */
  add(name: string, building?: TestBuilding): Promise<string>;
};

export async function createAssetsSite({ server }: WebSetting): Promise<AssetsSite> {
  const { services } = server;
  const harbour = await createBuilding(services, { name: 'Harbour House' });
  const mill = await createBuilding(services, { name: 'Mill Lane Studios' });
  const floor = uuidv7();
  const createdAt = services.clock.now().toISOString();
  const ground = { level: 0, name: 'Ground Floor', isBasement: false };
  await services.db.insert(floors).values({ id: floor, buildingId: harbour.id, createdAt, ...ground });
  const buildings = [harbour.id, mill.id];
  const manager = await createPerson(services, { role: 'manager', buildings });
  const viewer = await createPerson(services, { role: 'viewer', buildings });
  const client = createTestClient(server.url, await signInAs(server, manager));
  return {
    ...{ harbour, mill, floor, manager, viewer, client },
    async add(name, { id: buildingId } = harbour) {
      const id = uuidv7();
      const about = { name, description: 'For the test' };
      await client.assets.create.mutate({ operationId: uuidv7(), id, buildingId, ...about });
      return id;
    },
  };
}

/** The row of an asset. */
export const line = (page: Page, name: string): Locator =>
  page.locator('[data-asset]').filter({ hasText: name });

/** Chooses an option of a picker. */
export async function choose(page: Page, picker: RegExp, option: string): Promise<void> {
  await page.getByRole('button', { name: picker }).click();
  await page.getByRole('option', { name: option }).first().click();
}

/** Opens a row's menu and selects an item. */
export async function act(page: Page, name: string, entry: string): Promise<void> {
  // A toast may cover the row, and stays while the pointer is on it.
  const crosses = page.getByRole('button', { name: 'Dismiss' });
  for (const cross of await crosses.all()) await cross.dispatchEvent('click').catch(() => undefined);
  await expect.poll(() => crosses.count()).toBe(0);
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}
