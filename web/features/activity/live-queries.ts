import { activityActors, activityList } from './activity.live.ts';

export const liveQueries = [activityActors, activityList] as const;

/** The entities that no other page shows. `activityList` follows every entity, so its own entities do not tell that. */
export const shownOnlyHere = ['signIn'] as const;
