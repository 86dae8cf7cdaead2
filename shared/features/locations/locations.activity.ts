import { type ActivityWords, wordsAbout } from '../../activity-words.ts';
import type { liveEntities } from './locations.live.ts';

export const activity = {
  entities: {
    client: { one: 'client', many: 'clients' },
    building: { one: 'building', many: 'buildings' },
    // Shown in the line of its building.
    place: null,
  },
  commands: {
    ...wordsAbout(['client'], {
      'locations.createClient': 'added client',
      'locations.renameClient': 'renamed client',
      'locations.removeClient': 'deleted client',
      'locations.restoreClient': 'restored client',
    }),
    ...wordsAbout(['building'], {
      'locations.createBuilding': 'added building',
      'locations.addFloors': 'added floors to',
      'locations.updateBuilding': 'changed building',
      'locations.removeBuilding': 'deleted building',
      'locations.restoreBuilding': 'restored building',
      'locations.renameFloor': 'renamed a floor of',
      'locations.removeFloor': 'deleted a floor of',
      'locations.restoreFloor': 'restored a floor of',
    }),
  },
  fields: {
    clientName: 'Client',
    floorCount: 'Floors',
    isHealthcare: 'Healthcare premises',
  },
} satisfies ActivityWords<typeof liveEntities>;
