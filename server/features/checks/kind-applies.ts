import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { assets } from '#db/schema/assets.ts';
import { checkSchedules } from '#db/schema/checks/schedules.ts';
import { subjectTypes } from '#shared/features/checks/definition.ts';
import { checks } from '#shared/features/checks/index.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';

/**
 * SQL condition "this kind applies to that building": it has a subject of the kind in use, or the kind was done there before.
 * Places can be named at any building, so a kind about places applies everywhere.
 * @param buildingId the column with the building's id
 */
export function appliesAt(kind: CheckKind, buildingId: AnyPgColumn): SQL {
  const { subject } = checks[kind];
  if (subject.of === 'place') return sql`true`;
  // The collation of the index.
  return sql`(exists (
      select 1 from ${assets} a where a.building_id = ${buildingId}
        and a.effective_type collate "C" in ${subjectTypes(subject)} and a.retired_at is null)
    or exists (select 1 from ${checkSchedules} d where d.building_id = ${buildingId} and d.kind = ${kind}))`;
}
