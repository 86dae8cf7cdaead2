import { type ActivityWords, wordsAbout } from '../../activity-words.ts';
import type { liveEntities } from './displays.live.ts';

export const activity = {
  entities: { display: { one: 'display', many: 'displays' } },
  commands: {
    ...wordsAbout(['display'], {
      'displays.pair': 'paired the display',
      'displays.update': 'changed the display',
      'displays.replace': 'replaced the screen of the display',
      'displays.pause': 'paused or resumed the display',
      'displays.reload': 'reloaded the display',
      'displays.unpair': 'unpaired the display',
    }),
    // These commands record no event.
    'displays.lookUp': null,
    'displays.requestCode': null,
    'displays.claim': null,
    'displays.beat': null,
  },
  fields: {
    view: 'View',
    allBuildings: 'All buildings',
    buildingIds: 'Buildings',
    pausedAt: 'Paused',
    reloadAskedAt: 'Reload asked for',
    unpairedAt: 'Unpaired',
    replacedAt: 'Screen replaced',
  },
  values: { view: { manager: "Manager's view", public: 'Public view' } },
} satisfies ActivityWords<typeof liveEntities>;
