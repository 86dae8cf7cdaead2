import type { Page } from 'playwright-core';
import type { WebSetting } from '../browser/web-setting.ts';
import {
  createBuilding,
  createClient,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '../rows/factories.ts';
import { reportIssues } from './issues-screen.ts';

/** Two buildings for one test, with three issues and one issue, their manager, and an administrator. */
export type IssuesSite = {
  harbour: TestBuilding;
  mill: TestBuilding;
  manager: TestPerson;
  admin: TestPerson;
  /** Opens the page of issues. */
  board(person: TestPerson, query?: string, options?: Parameters<WebSetting['open']>[2]): Promise<Page>;
};

/** Makes buildings with issues for one test. */
export async function createIssuesSite({ server, open }: WebSetting): Promise<IssuesSite> {
  const { id: clientId } = await createClient(server.services);
  const harbour = await createBuilding(server.services, { clientId, name: 'Harbour House' });
  const mill = await createBuilding(server.services, { clientId, name: 'Mill Lane Studios' });
  const manager = await createPerson(server.services, { role: 'manager', buildings: [harbour.id, mill.id] });
  const admin = await createPerson(server.services, { role: 'admin' });
  await reportIssues(server, admin, harbour, [
    { title: 'Lift 2 stuck', description: 'Between two floors', priority: 'critical' },
    { title: 'Scuffed paint', priority: 'low' },
    { title: 'Roof leak', priority: 'high' },
  ]);
  await reportIssues(server, admin, mill, [{ title: 'Studio 6 without heating', priority: 'high' }]);
  return {
    ...{ harbour, mill, manager, admin },
    board: (person, query = '', options = {}) => open(person, `/building-issues${query}`, options),
  };
}
