import { assetLocations, assets } from '#db/schema/assets.ts';
import type { Services } from '#server/kernel/context.ts';
import { dayOf } from '#shared/dates.ts';
import type { AssetType, OutletKind } from '#shared/features/assets/assets.vocabulary.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { checks, type EntryOf, type RecordVisitInput } from '#shared/features/checks/index.ts';
import { CHECK_KINDS, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';

/** Inserts an asset without an event. */
export async function createAsset(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  values: {
    buildingId: string;
    name?: string;
    type?: AssetType;
    outletKind?: OutletKind;
    retiredAt?: string;
  },
): Promise<{ id: string; name: string }> {
  const id = uuidv7();
  const at = clock.now().toISOString();
  const {
    buildingId,
    name = `Asset ${id.slice(-6)}`,
    type = 'asset',
    outletKind = null,
    retiredAt = null,
  } = values;
  await db.insert(assets).values({
    ...{ id, name, type, outletKind, retiredAt, buildingId },
    description: 'Of a test',
    building: 'Building',
    location: 'Ground Floor, Kitchen',
    createdAt: at,
    updatedAt: at,
  });
  await db.insert(assetLocations).values({ assetId: id, buildingId, roomName: 'Kitchen' });
  return { id, name };
}

/** An entry of each kind about an asset of its type: one that passes, one that fails. A new kind must be added here. */
export const SAMPLE_LINES: {
  readonly [K in CheckKind]: Record<
    'pass' | 'fail',
    (assetId: string) => Omit<EntryOf<K>, 'id' | 'photoIds'>
  >;
} = {
  fire_alarm_test: {
    pass: (assetId) => ({ locationTested: `Point ${assetId}`, assetId, passed: true, notes: null }),
    fail: (assetId) => ({ locationTested: `Point ${assetId}`, assetId, passed: false, notes: 'Silent' }),
  },
  emergency_lighting_test: {
    pass: (assetId) => ({ assetId, passed: true, testType: 'monthly_function', minutes: null, notes: null }),
    fail: (assetId) => ({ assetId, passed: false, testType: 'annual_duration', minutes: 40, notes: 'Dim' }),
  },
  water_temperature_check: {
    pass: (outletId) => ({ outletId, temperatureCelsius: 14.2, blendedCelsius: null, notes: null }),
    fail: (outletId) => ({ outletId, temperatureCelsius: 23.4, blendedCelsius: null, notes: 'Warm' }),
  },
  outlet_flushing: {
    pass: (outletId) => ({ outletId, isFlushed: true, minutes: 2, notes: null }),
    fail: (outletId) => ({ outletId, isFlushed: false, minutes: null, notes: 'Locked' }),
  },
  call_point_visual_check: {
    pass: (assetId) => ({ assetId, passed: true, notes: null }),
    fail: (assetId) => ({ assetId, passed: false, notes: 'Glass cracked' }),
  },
};

/** An entry with an id of its own, ready to be recorded. */
export function lineOf<K extends CheckKind>(kind: K, result: 'pass' | 'fail', assetId: string) {
  return { id: uuidv7(), photoIds: [], ...SAMPLE_LINES[kind][result](assetId) };
}

/** The whole input of a record, with entries of the kind. */
export function visitOf(
  kind: LogKind,
  values: { buildingId: string; now: string; entries: readonly unknown[] } & Partial<
    Pick<
      RecordVisitInput,
      'operationId' | 'visitId' | 'visitDate' | 'operativeName' | 'performedAt' | 'deviceNow'
    >
  >,
): RecordVisitInput {
  const { now, ...rest } = values;
  // The cast: the caller made the entries with `lineOf` for this kind.
  return {
    operationId: uuidv7(),
    visitId: uuidv7(),
    visitDate: dayOf(now),
    operativeName: 'Aisha Khan',
    performedAt: now,
    deviceNow: now,
    ...rest,
    kind,
  } as RecordVisitInput;
}

/** Every kind, with the type of its assets. */
export const KINDS_WITH_TYPE = CHECK_KINDS.map((kind) => [kind, checks[kind].subject.type] as const);
