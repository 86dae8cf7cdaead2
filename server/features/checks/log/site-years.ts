import { and, eq, sql } from 'drizzle-orm';
import { checkSchedules } from '#db/schema/checks/schedules.ts';
import { buildings } from '#db/schema/places.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { TIME_ZONE } from '../../../kernel/settings.ts';

/** The day from which a building is checked: its first record, or the day it was added. Needs `withSchedule`. */
export const startsOn = sql<string>`coalesce(${checkSchedules.firstDoneOn}::text,
  to_char(${buildings.createdAt} at time zone ${TIME_ZONE}, 'YYYY-MM-DD'))`;

/** Joins a building with its schedule of a kind. The schedule exists once the kind was done at the building. */
export function withSchedule(kind: CheckKind) {
  return and(eq(checkSchedules.buildingId, buildings.id), eq(checkSchedules.kind, kind));
}
