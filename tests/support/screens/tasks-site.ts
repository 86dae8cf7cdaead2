import type { BrowserContextOptions, Page } from 'playwright-core';
import type { WebSetting } from '../browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '../rows/factories.ts';
import { createTestClient, type TestClient } from '../server/client.ts';
import { COMPLIANCE, tasksOf } from './tasks-screen.ts';

type Name = { firstName?: string; lastName?: string };
type Opened = BrowserContextOptions & { as?: TestPerson };

/** A building for one test, its manager, and the building's tasks through the manager's client. */
export type TasksSite = {
  site: TestBuilding;
  manager: TestPerson;
  client: TestClient;
  tasks: ReturnType<typeof tasksOf>;
  today: string;
  /** Creates another person with access to the building. */
  colleague(role: 'manager' | 'viewer' | 'operative', name?: Name): Promise<TestPerson>;
  /** Opens the list of the building's tasks, as its manager unless another person is named. */
  open(query?: string, options?: Opened): Promise<Page>;
};

/** Makes a building for one test of the compliance screens. */
export async function createTasksSite(
  setting: WebSetting,
  { site: about, ...person }: Name & { site?: { name: string } } = {},
): Promise<TasksSite> {
  const { server } = setting;
  const site = await createBuilding(server.services, { name: 'Harbour House', ...about });
  const manager = await createPerson(server.services, { role: 'manager', buildings: [site.id], ...person });
  const client = createTestClient(server.url, await signInAs(server, manager));
  const tasks = tasksOf(client, site.id, server.services.clock);
  return {
    ...{ site, manager, client, tasks, today: tasks.today() },
    colleague: (role, name) => createPerson(server.services, { role, buildings: [site.id], ...name }),
    open: (query = '', { as = manager, ...options } = {}) =>
      setting.open(as, `${COMPLIANCE}?building=${site.id}${query}`, options),
  };
}
