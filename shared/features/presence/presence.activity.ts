import type { ActivityWords } from '../../activity-words.ts';

/** Presence lasts for seconds, and is no event. */
export const activity = {
  entities: {},
  commands: { 'presence.tell': null },
} satisfies ActivityWords<object>;
