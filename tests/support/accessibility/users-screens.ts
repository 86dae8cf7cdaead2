import { pages } from '#web/app/pages.ts';
import type { Screens } from './screen.ts';

export const usersScreens: Screens = {
  'the users': {
    path: pages.userManagement.path,
    who: 'admin',
    heading: 'User Management',
    act: (page) => page.getByRole('article').first().waitFor(),
  },
  places: { path: pages.locations.path, who: 'admin', heading: 'Location Management' },
  'a new location': { path: pages.addLocation.path, who: 'admin', heading: 'Add New Location' },
  'a new building': { path: pages.addBuilding.path, who: 'admin', heading: 'Add Building' },
  'the disciplines': {
    path: `${pages.userManagement.path}?tab=disciplines`,
    who: 'admin',
    heading: 'User Management',
  },
};
