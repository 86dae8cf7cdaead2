import { uuidv7 } from '#shared/ids.ts';
import type { WebSetting } from '../browser/web-setting.ts';
import { createAsset, visitOf } from '../rows/checks.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '../rows/factories.ts';
import { createTestClient, type TestClient } from '../server/client.ts';

type Test = {
  id?: string;
  place?: string;
  passed?: boolean;
  notes?: string;
  operativeName?: string;
  site?: TestBuilding;
};

/** Two sites with a log book, and the people of both. */
export type LogSite = {
  harbour: TestBuilding;
  mill: TestBuilding;
  manager: TestPerson;
  operative: TestPerson;
  viewer: TestPerson;
  /** A hot outlet of Harbour House. */
  outlet: string;
  /** The operative's client. */
  api: TestClient;
  /** The times of a visit performed shortly after midnight of that day and sent now. */
  on(day: string): { now: string; visitDate: string; performedAt: string };
  /** Records a fire alarm test, and returns the entry's id. */
  tested(day: string, test?: Test): Promise<string>;
  /** The address of a year in the fire alarm log of Harbour House. */
  year(year: number): string;
};

/** Makes what the log book needs. */
export async function createLogSite({ server }: Pick<WebSetting, 'server'>): Promise<LogSite> {
  const { services } = server;
  const harbour = await createBuilding(services, { name: 'Harbour House', code: 'HAR' });
  const mill = await createBuilding(services, { name: 'Mill Lane Studios', code: 'MIL' });
  const buildings = [harbour.id, mill.id];
  const person = (role: string, firstName: string, lastName: string) =>
    createPerson(services, { role, buildings, firstName, lastName });
  const manager = await person('manager', 'Maya', 'Osei');
  const operative = await person('operative', 'Aisha', 'Khan');
  const viewer = await createPerson(services, { role: 'viewer', buildings });
  const api = createTestClient(server.url, await signInAs(server, operative));
  const { id: outlet } = await createAsset(services, {
    buildingId: harbour.id,
    type: 'water_outlet',
    name: 'Kitchen sink',
    outletKind: 'hot',
  });
  const on = (day: string) => ({
    now: services.clock.now().toISOString(),
    visitDate: day,
    performedAt: `${day}T00:05:00.000Z`,
  });
  return {
    ...{ harbour, mill, manager, operative, viewer, outlet, api, on },
    async tested(day, { place = 'Front Door', passed = true, ...more } = {}) {
      const { id = uuidv7(), notes = null, operativeName = 'Aisha Khan', site = harbour } = more;
      const line = { id, photoIds: [], locationTested: place, assetId: null, passed, notes };
      await api.checks.record.mutate(
        visitOf('fire_alarm_test', { ...on(day), buildingId: site.id, operativeName, entries: [line] }),
      );
      return id;
    },
    year: (year) => `/logbook/fire-alarm?building=${harbour.id}&year=${year}`,
  };
}
