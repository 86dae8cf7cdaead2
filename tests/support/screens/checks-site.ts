import type { Page } from 'playwright-core';
import { PHONE } from '../browser/pages.ts';
import type { WebSetting } from '../browser/web-setting.ts';
import { createAsset } from '../rows/checks.ts';
import { createBuilding, createPerson, type TestBuilding, type TestPerson } from '../rows/factories.ts';

/** Two sites of one client, and the operatives who check them. */
export type ChecksSite = {
  /** With two outlets, two lights and two call points. */
  harbour: TestBuilding;
  /** With nothing to check. */
  quay: TestBuilding;
  /** Makes an operative of both sites, called Aisha Khan. */
  aisha(): Promise<TestPerson>;
  /** Opens the form of a check on a phone, as Aisha unless another person is named. */
  openForm(slug: string, site?: TestBuilding, person?: TestPerson): Promise<Page>;
};

/** Makes what the forms of the checks need. */
export async function createChecksSite(setting: WebSetting): Promise<ChecksSite> {
  const { services } = setting.server;
  const harbour = await createBuilding(services, { name: 'Harbour House' });
  const quay = await createBuilding(services, { name: 'Quay Court', clientId: harbour.clientId });
  const at = { buildingId: harbour.id };
  await createAsset(services, { ...at, name: 'Kitchen tap', type: 'water_outlet', outletKind: 'cold' });
  await createAsset(services, { ...at, name: 'Basin', type: 'water_outlet', outletKind: 'hot' });
  for (const name of ['Exit sign', 'Bulkhead'])
    await createAsset(services, { ...at, name, type: 'emergency_light' });
  for (const name of ['Front Door', 'Basement'])
    await createAsset(services, { ...at, name, type: 'call_point' });
  const aisha = () =>
    createPerson(services, {
      role: 'operative',
      buildings: [harbour.id, quay.id],
      firstName: 'Aisha',
      lastName: 'Khan',
    });
  return {
    ...{ harbour, quay, aisha },
    async openForm(slug, site, person) {
      const query = site === undefined ? '' : `?site=${site.id}`;
      const page = await setting.open(person ?? (await aisha()), `/operative-tasks/${slug}${query}`, PHONE);
      await page.getByRole('button', { name: /^Site: / }).waitFor();
      return page;
    },
  };
}
