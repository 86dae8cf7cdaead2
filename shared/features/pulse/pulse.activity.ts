import type { ActivityWords } from '../../activity-words.ts';
import type { liveEntities } from './pulse.live.ts';

/** Figures follow from changes that have lines of their own. */
export const activity = {
  entities: { buildingPulse: null },
  commands: {},
} satisfies ActivityWords<typeof liveEntities>;
