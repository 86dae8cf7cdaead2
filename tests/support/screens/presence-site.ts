import type { WebSetting } from '../browser/web-setting.ts';
import { createBuilding, createPerson, type TestBuilding, type TestPerson } from '../rows/factories.ts';

/** A building for one test, and two people who meet there. */
export type Meeting = { building: TestBuilding; mona: TestPerson; vera: TestPerson };

/** @param role the role of Mona Manager; Vera Viewer is a viewer beside a manager, and an operative beside an operative */
export async function createMeeting(
  { server: { services } }: WebSetting,
  role: 'manager' | 'operative',
): Promise<Meeting> {
  const building = await createBuilding(services, { name: 'Harbour House' });
  const at = { buildings: [building.id] };
  const other = role === 'manager' ? 'viewer' : role;
  return {
    building,
    mona: await createPerson(services, { role, firstName: 'Mona', lastName: 'Manager', ...at }),
    vera: await createPerson(services, { role: other, firstName: 'Vera', lastName: 'Viewer', ...at }),
  };
}
