import type { ActivityWords } from '../activity-words.ts';

/** Lasts for seconds, and is no event. */
export const activity = {
  entities: {},
  commands: { 'presence.tell': null },
} satisfies ActivityWords<object>;
