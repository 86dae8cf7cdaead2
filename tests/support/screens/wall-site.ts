import { buildingIssues } from '#db/schema/issues.ts';
import type { WebSetting } from '../browser/web-setting.ts';
import type { TestDisplay } from '../rows/displays.ts';
import { createBuilding, createPerson, type TestBuilding, type TestPerson } from '../rows/factories.ts';
import { reportIssues } from './issues-screen.ts';
import { openWall, type WallOptions } from './wall-screen.ts';

/** Two buildings and an administrator, for tests of displays, most of which show all buildings. */
export type WallSite = {
  admin: TestPerson;
  harbour: TestBuilding;
  quayside: TestBuilding;
  /** Reports an issue, at Harbour House unless another building is given. */
  report(title: string, priority: 'high' | 'critical', building?: TestBuilding): Promise<string[]>;
  /** Opens the page of a display in a new window. */
  open(display: TestDisplay, options?: WallOptions): ReturnType<typeof openWall>;
  /** Closes all windows and deletes all issues, because a display shows those of every building. */
  clear(): Promise<void>;
};

export async function createWallSite(setting: WebSetting): Promise<WallSite> {
  const { server, browser } = setting;
  const { services } = server;
  const admin = await createPerson(services, { role: 'admin' });
  const harbour = await createBuilding(services, { name: 'Harbour House' });
  const quayside = await createBuilding(services, { name: 'Quayside 4' });
  return {
    ...{ admin, harbour, quayside },
    report: (title, priority, building = harbour) =>
      reportIssues(server, admin, building, [{ title, priority }]),
    open: (display, options) => openWall(browser, server.url, display, options),
    async clear() {
      await setting.closeWindows();
      await services.db.delete(buildingIssues);
    },
  };
}
