import type { Locator } from 'playwright-core';
import type { WebSetting } from '../browser/web-setting.ts';
import { createBuilding, createPerson, type TestBuilding, type TestPerson } from '../rows/factories.ts';
import { noisyPicture } from '../rows/photos.ts';
import { reportIssues } from './issues-screen.ts';

/** A building, a person who manages its issues, and one who sees them. */
export type PhotosSite = {
  building: TestBuilding;
  manager: TestPerson;
  viewer: TestPerson;
  /** Reports an issue, and returns its id and the address of its details. */
  report(title: string): Promise<{ id: string; path: string }>;
};

export async function createPhotosSite({ server }: WebSetting): Promise<PhotosSite> {
  const building = await createBuilding(server.services, { name: 'Harbour House' });
  const buildings = [building.id];
  const manager = await createPerson(server.services, { role: 'manager', buildings });
  const viewer = await createPerson(server.services, { role: 'viewer', buildings });
  return {
    ...{ building, manager, viewer },
    async report(title) {
      const [id = ''] = await reportIssues(server, manager, building, [{ title }]);
      return { id, path: `/building-issues?building=${building.id}&issue=${id}` };
    },
  };
}

/** Chooses a photo, a small one unless its size is given. */
export async function choosePhoto(
  within: Pick<Locator, 'getByLabel'>,
  width = 60,
  height = 40,
): Promise<void> {
  const buffer = noisyPicture(width, height);
  await within
    .getByLabel(/^Choose photos of/)
    .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer });
}
