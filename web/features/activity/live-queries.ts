import { activityActors, activityList } from './activity.live.ts';

export const liveQueries = [activityActors, activityList] as const;

/** The entities that no other page shows. The list itself follows every entity, which says nothing of another page. */
export const shownOnlyHere = ['signIn'] as const;
