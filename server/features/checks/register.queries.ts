import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assets } from '#db/schema/assets.ts';
import { checkPlans, checkSchedules } from '#db/schema/checks/schedules.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { buildings, clients } from '#db/schema/places.ts';
import { periodOf } from '#shared/check-periods.ts';
import { dayOf } from '#shared/dates.ts';
import { mayBeHot } from '#shared/features/assets/asset-types.ts';
import type { AssetType } from '#shared/features/assets/assets.vocabulary.ts';
import { subjectTypes } from '#shared/features/checks/definition.ts';
import { checks, definitionOf } from '#shared/features/checks/index.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type {
  LastResult,
  Register,
  RegisterBuilding,
  RegisterSubject,
} from '#shared/features/checks/procedure-answers.ts';
import { REGISTER_BUILDINGS_MAX, type RegisterInput } from '#shared/features/checks/queries.ts';
import { isDueIn, scheduleStatus, timesIn } from '#shared/features/checks/schedule.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { mapYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import { readToday } from '../../kernel/settings.ts';
import { readTestedDays } from '../check-periods/check-coverage.queries.ts';
import type { EnabledChecks } from './enabled-checks.ts';
import { readPlans } from './schedule/schedule-steps.queries.ts';
import {
  assetSubjects,
  type BuildingSubject,
  countSubjects,
  mergeTestPoints,
  pointSubjects,
} from './subjects.ts';
import { selectEntries } from './visit-row.ts';

/**
 * The register that phones keep: a person's buildings with everything that is checked there, and the status of each
 * check.
 */
export async function register(
  db: Queryable,
  actor: Actor,
  input: RegisterInput,
  options: { enabled: EnabledChecks; now: Date },
): Promise<Register> {
  const { enabled, now } = options;
  const { today, timeZone } = await readToday(db, now);
  const rows = await db
    .select({
      buildingId: buildings.id,
      name: buildings.name,
      clientName: clients.name,
      healthcare: buildings.isHealthcare,
      createdAt: buildings.createdAt,
    })
    .from(buildings)
    .innerJoin(clients, eq(clients.id, buildings.clientId))
    .where(
      and(
        visibleTo(actor, buildings.id),
        input.buildingIds === undefined
          ? undefined
          : input.buildingIds.length === 0
            ? sql`false`
            : inArray(buildings.id, input.buildingIds),
        input.assetId === undefined
          ? undefined
          : inArray(
              buildings.id,
              db.select({ id: assets.buildingId }).from(assets).where(eq(assets.id, input.assetId)),
            ),
      ),
    )
    .orderBy(sql`${buildings.sortKey} collate "C"`, asc(buildings.id))
    .limit(REGISTER_BUILDINGS_MAX + 1);
  const found = rows.slice(0, REGISTER_BUILDINGS_MAX);
  const sites: RegisterBuilding[] = [];
  for (const part of partsOf(found, await countSubjects(db, found, typesOf(enabled)))) {
    sites.push(...(await registerOf(db, part, { enabled, today, timeZone, now })));
  }
  return { today, kinds: [...enabled], sites, more: rows.length > found.length };
}

type Site = Omit<RegisterBuilding, 'checks'> & { createdAt: string };

/**
 * Maximum number of subjects of the buildings that are read together, unless a single building has more. All rows of one answer
 * arrive at once.
 */
const SUBJECTS_AT_ONCE = 1_000;

/** Splits buildings into parts, because converting the subjects of all buildings in one go would block the event loop. */
function partsOf(found: readonly Site[], subjects: ReadonlyMap<string, number>): Site[][] {
  const parts: Site[][] = [];
  let room = 0;
  for (const site of found) {
    const count = subjects.get(site.buildingId) ?? 0;
    const last = parts.at(-1);
    if (last === undefined || count > room) {
      parts.push([site]);
      room = SUBJECTS_AT_ONCE - count;
    } else {
      last.push(site);
      room -= count;
    }
  }
  return parts;
}

function typesOf(enabled: EnabledChecks): AssetType[] {
  return [...new Set(enabled.flatMap((kind) => subjectTypes(checks[kind].subject)))];
}

async function registerOf(
  db: Queryable,
  found: readonly Site[],
  { enabled, today, timeZone, now }: { enabled: EnabledChecks; today: string; timeZone: string; now: Date },
): Promise<RegisterBuilding[]> {
  const ids = found.map(({ buildingId }) => buildingId);
  const assetsThere = groupBy(await assetSubjects(db, ids, typesOf(enabled)));
  const points = groupBy(await pointSubjects(db, ids));
  const schedules = await readSchedules(db, ids);
  const plans = await readPlans(db, inArray(checkPlans.buildingId, ids));
  const sites: RegisterBuilding[] = found.map(({ createdAt: _createdAt, ...site }) => ({
    ...site,
    checks: {},
  }));
  for (const kind of enabled) {
    const period = periodOf(CHECK_VOCABULARY[kind].cadence, today);
    const last = await lastResults(db, kind, ids);
    const testedOn = await readTestedDays(db, { buildingIds: ids, kind }, period);
    for (const [index, site] of sites.entries()) {
      const { of } = checks[kind].subject;
      const ofKind = subjectTypes(checks[kind].subject);
      const here = (assetsThere.get(site.buildingId) ?? []).filter(({ type }) => ofKind.includes(type));
      const named = (points.get(site.buildingId) ?? []).filter((point) => point.kind === kind);
      const subjects = of === 'assets' ? here : mergeTestPoints(here, named);
      const done = schedules.get(`${site.buildingId} ${kind}`);
      const days = {
        addedOn: dayOf(found[index]?.createdAt ?? now, timeZone),
        firstDone: done?.firstDoneOn ?? null,
        lastComplete: done?.lastCompleteOn ?? null,
      };
      const lastDone = done?.lastDoneOn ?? null;
      const steps = plans(site.buildingId, kind);
      site.checks[kind] = {
        subjects: await mapYielding(subjects, (subject) =>
          subjectOf(kind, site, subject, {
            last: last.get(keyOf(subject)) ?? null,
            testedOn: testedOn(site.buildingId, subject.subjectKey),
          }),
        ),
        schedule: {
          applies: (of === 'place' || subjects.length > 0 || lastDone !== null) && isDueIn(steps, period),
          lastDone,
          times: timesIn(steps, period),
          ...scheduleStatus(kind, days, steps, today),
        },
      };
    }
  }
  return sites;
}

function groupBy<Row extends { buildingId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.buildingId);
    if (group === undefined) groups.set(row.buildingId, [row]);
    else group.push(row);
  }
  return groups;
}

function keyOf({ buildingId, subjectKey }: { buildingId: string; subjectKey: string }): string {
  return `${buildingId} ${subjectKey}`;
}

function subjectOf(
  kind: CheckKind,
  site: RegisterBuilding,
  subject: BuildingSubject,
  tested: Pick<RegisterSubject, 'last' | 'testedOn'>,
): RegisterSubject {
  const { outletKind } = subject;
  // No spread: a register has tens of thousands of subjects, and a copy by spread takes about twelve times as long as a literal.
  return {
    assetId: subject.assetId,
    subjectKey: subject.subjectKey,
    name: subject.name,
    description: subject.description,
    floorName: subject.floorName,
    roomName: subject.roomName,
    type: subject.type,
    outletKind,
    mayBeHot: mayBeHot(subject),
    limits: definitionOf(kind).limits?.({ outletKind, healthcare: site.healthcare }) ?? null,
    last: tested.last,
    testedOn: tested.testedOn,
  };
}

async function readSchedules(db: Queryable, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await db
    .select()
    .from(checkSchedules)
    .where(inArray(checkSchedules.buildingId, [...ids]));
  return new Map(rows.map((row) => [`${row.buildingId} ${row.kind}`, row]));
}

/** The latest result of every subject of a kind in these buildings. */
async function lastResults(
  db: Queryable,
  kind: CheckKind,
  ids: readonly string[],
): Promise<Map<string, LastResult>> {
  if (ids.length === 0) return new Map();
  const newest = db
    .selectDistinctOn([checkEntries.buildingId, checkEntries.subjectKey], { id: checkEntries.id })
    .from(checkEntries)
    .where(
      and(
        inArray(checkEntries.buildingId, [...ids]),
        eq(checkEntries.kind, kind),
        sql`${checkEntries.supersededBy} is null and ${checkEntries.result} <> 'not_tested'`,
      ),
    )
    .orderBy(
      checkEntries.buildingId,
      checkEntries.subjectKey,
      sql`${checkEntries.visitDate} desc`,
      sql`${checkEntries.id} desc`,
    );
  const entries = await selectEntries(db, kind, inArray(checkEntries.id, newest));
  const visits = await db
    .select({
      id: operativeVisits.id,
      buildingId: operativeVisits.buildingId,
      day: operativeVisits.visitDate,
      operativeName: operativeVisits.operativeName,
    })
    .from(operativeVisits)
    .where(
      entries.length === 0
        ? sql`false`
        : inArray(operativeVisits.id, [...new Set(entries.map(({ visitId }) => visitId))]),
    );
  const byId = new Map(visits.map((visit) => [visit.id, visit]));
  return new Map(
    entries.flatMap(({ visitId, subjectKey, result, values }) => {
      const visit = byId.get(visitId);
      if (visit === undefined) return [];
      const { buildingId, day, operativeName } = visit;
      return [[keyOf({ buildingId, subjectKey }), { day, result, values, operativeName }] as const];
    }),
  );
}
