import { and, between, desc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assets } from '#db/schema/assets.ts';
import { checkEntries } from '#db/schema/checks/visits.ts';
import { waterTemperatureChecks } from '#db/schema/checks/water-temperature.ts';
import { buildings } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import { DEFAULT_OUTLET_KIND } from '#shared/features/assets.words.ts';
import type { Trend } from '#shared/features/checks/answers.ts';
import type { TrendInput } from '#shared/features/checks/queries.ts';
import { waterLimits } from '#shared/features/checks/water-limits.words.ts';
import type { Actor } from '../../context.ts';
import { visibleTo } from '../locations/locations.queries.ts';

/** Some decades of months, or two years of days. */
const TREND_POINTS_MAX = 800;

/**
 * The readings of an outlet, oldest first, each with the limits that judged it then.
 * @throws AppError `not_found` for an asset that is absent or not this person's
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
  const points = await db
    .select({
      entryId: checkEntries.id,
      day: checkEntries.visitDate,
      value: waterTemperatureChecks.temperatureCelsius,
      satisfactory: waterTemperatureChecks.isSatisfactory,
      min: waterTemperatureChecks.limitMin,
      max: waterTemperatureChecks.limitMax,
    })
    .from(checkEntries)
    .innerJoin(waterTemperatureChecks, eq(waterTemperatureChecks.id, checkEntries.id))
    .where(
      and(
        eq(checkEntries.buildingId, outlet.buildingId),
        eq(checkEntries.kind, 'water_temperature_check'),
        eq(checkEntries.subjectKey, outlet.assetId),
        sql`${checkEntries.supersededBy} is null`,
        year === undefined ? undefined : between(checkEntries.visitDate, `${year}-01-01`, `${year}-12-31`),
      ),
    )
    .orderBy(desc(checkEntries.visitDate), desc(checkEntries.id))
    .limit(TREND_POINTS_MAX);
  return { ...told, outletKind, limits: waterLimits(outletKind, healthcare), points: points.reverse() };
}
