import { and, between, desc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assets } from '#db/schema/assets.ts';
import { checkEntries } from '#db/schema/checks/visits.ts';
import { buildings } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import { DEFAULT_OUTLET_KIND } from '#shared/features/assets/assets.vocabulary.ts';
import { definitionOf } from '#shared/features/checks/index.ts';
import type { Trend } from '#shared/features/checks/procedure-answers.ts';
import type { TrendInput } from '#shared/features/checks/queries.ts';
import { readingOf, trendOf } from '#shared/features/checks/readings.vocabulary.ts';
import type { EntryValues } from '#shared/features/checks/rows.ts';
import type { Actor } from '../../../access/actor.ts';
import { visibleTo } from '../../../access/visible-to.ts';
import { entryTable } from '../visit-row.ts';

/**
 * The readings of an outlet, oldest first, each with the limits it was judged by.
 * @throws AppError `not_found` if the asset does not exist or this person may not see its building
 */
export async function trend(db: Queryable, actor: Actor, { assetId, year }: TrendInput): Promise<Trend> {
  const [outlet] = await db
    .select({
      assetId: assets.id,
      name: assets.name,
      place: assets.location,
      buildingId: assets.buildingId,
      outletKind: assets.outletKind,
      healthcare: buildings.isHealthcare,
    })
    .from(assets)
    .innerJoin(buildings, eq(buildings.id, assets.buildingId))
    .where(and(eq(assets.id, assetId), visibleTo(actor, assets.buildingId)));
  if (outlet === undefined) throw new AppError('not_found');
  const { healthcare, ...told } = outlet;
  const outletKind = outlet.outletKind ?? DEFAULT_OUTLET_KIND;
  const { kind } = trendOf();
  const limits = definitionOf(kind).limits?.({ outletKind, healthcare }) ?? { min: null, max: null };
  const { table, stored } = entryTable(kind);
  const lines = await db
    .select({
      entryId: checkEntries.id,
      day: checkEntries.visitDate,
      result: checkEntries.result,
      values: stored,
    })
    .from(checkEntries)
    .innerJoin(table, eq(table.id, checkEntries.id))
    .where(
      and(
        eq(checkEntries.buildingId, outlet.buildingId),
        eq(checkEntries.kind, kind),
        eq(checkEntries.subjectKey, outlet.assetId),
        sql`${checkEntries.supersededBy} is null`,
        year === undefined ? undefined : between(checkEntries.visitDate, `${year}-01-01`, `${year}-12-31`),
      ),
    )
    .orderBy(desc(checkEntries.visitDate), desc(checkEntries.id))
    .limit(TREND_POINTS_MAX);
  const points = lines.reverse().flatMap(({ entryId, day, result, values }) => {
    const { value, min, max } = readingOf(kind, result, values as EntryValues);
    return value === null ? [] : [{ entryId, day, value, satisfactory: result === 'pass', min, max }];
  });
  return { ...told, outletKind, limits, points };
}

/** Enough for decades of monthly readings, or two years of daily ones. */
const TREND_POINTS_MAX = 800;
