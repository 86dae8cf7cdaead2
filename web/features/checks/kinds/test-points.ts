import { periodOf, previousPeriod } from '#shared/check-periods.ts';
import { addDays } from '#shared/dates.ts';
import { checks } from '#shared/features/checks/index.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { LastResult, RegisterBuilding } from '#shared/features/checks/procedure-answers.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import type { OwnRecord } from '../due/due-sites.ts';

const NONE: readonly never[] = [];

/** A location at a site that is tested in turn with the others. */
export type TestPoint = { name: string; assetId: string | null; place: string; last: LastResult | null };

/**
 * Returns the test points of a site, the longest untested first; points never tested come before all others.
 * @param own checks recorded on this device, which the register may not include yet
 */
export function testPointsOf(
  site: RegisterBuilding,
  kind: CheckKind,
  own: readonly OwnRecord[] = NONE,
): TestPoint[] {
  const known = (site.checks[kind]?.subjects ?? []).map(({ name, assetId, floorName, roomName, last }) => ({
    name,
    assetId,
    place: [floorName, roomName].filter(Boolean).join(' · '),
    last,
  }));
  const { subject } = checks[kind];
  const presets = (subject.of === 'place' ? subject.presets?.[site.buildingId] : undefined) ?? [];
  const missing = presets.filter((name) => !known.some((point) => sameName(point.name, name)));
  const points = [...known, ...missing.map((name) => ({ name, assetId: null, place: '', last: null }))];
  const tested = own.filter((record) => record.kind === kind && record.siteId === site.buildingId);
  for (const { day, place, failed } of tested) {
    const at = points.findIndex(({ name }) => place !== undefined && sameName(name, place));
    const point = points[at];
    if (point === undefined || (point.last !== null && point.last.day > day)) continue;
    const result = failed ? 'fail' : 'pass';
    points[at] = { ...point, last: { day, result, values: {}, operativeName: '' } };
  }
  return points.sort((a, b) => compare(a.last?.day ?? '', b.last?.day ?? ''));
}

/**
 * Returns the day of the last test when this point was the last one tested, in this period or the one before, and
 * passed: another point is due then. Undefined after a failure, which calls for a retest.
 */
export function repeatedOn(
  points: readonly TestPoint[],
  name: string,
  kind: CheckKind,
  day: string,
): string | undefined {
  if (points.length < 2) return undefined;
  const last = points.find((point) => sameName(point.name, name))?.last;
  if (last == null || last.result === 'fail') return undefined;
  const newest = points.reduce((newestDay, point) => maxOf(newestDay, point.last?.day ?? ''), '');
  const { cadence } = CHECK_VOCABULARY[kind];
  const since = previousPeriod(cadence, periodOf(cadence, day)).start;
  return last.day === newest && last.day >= since && last.day < addDays(day, 1) ? last.day : undefined;
}

/** Whether two names of locations look the same. */
export function sameName(a: string, b: string): boolean {
  return nameKey(a) === nameKey(b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function maxOf(a: string, b: string): string {
  return a > b ? a : b;
}
