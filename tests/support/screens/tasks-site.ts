import type { WebSetting } from '../browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '../rows/factories.ts';
import { createTestClient, type TestClient } from '../server/client.ts';
import { tasksOf } from './tasks-screen.ts';

/** A building of one test, its manager, and the building's tasks by the manager's client. */
export type TasksSite = {
  site: TestBuilding;
  manager: TestPerson;
  client: TestClient;
  tasks: ReturnType<typeof tasksOf>;
  today: string;
};

/** Makes a building for one test of the compliance screens. */
export async function createTasksSite(
  { server }: WebSetting,
  { site: about, ...person }: { site?: { name: string }; firstName?: string; lastName?: string } = {},
): Promise<TasksSite> {
  const site = await createBuilding(server.services, { name: 'Harbour House', ...about });
  const manager = await createPerson(server.services, { role: 'manager', buildings: [site.id], ...person });
  const client = createTestClient(server.url, await signInAs(server, manager));
  const tasks = tasksOf(client, site.id, server.services.clock);
  return { site, manager, client, tasks, today: tasks.today() };
}
