import { z } from 'zod';
import type { CheckDefinition } from './definition.ts';
import { LOG_KINDS, type LogKind } from './incidents.vocabulary.ts';
import { callPointVisual } from './kinds/call-point-visual.ts';
import { emergencyLighting } from './kinds/emergency-lighting.ts';
import { falseAlarm } from './kinds/false-alarm.ts';
import { fireAlarm } from './kinds/fire-alarm.ts';
import { outletFlushing } from './kinds/outlet-flushing.ts';
import { waterTemperature } from './kinds/water-temperature.ts';

// The registry of definitions. Each kind is also listed in `kinds.vocabulary.ts` (an incident in
// `incidents.vocabulary.ts`) and among the tables; its words, if it has any, in `readings.vocabulary.ts`.

export const checks = {
  fire_alarm_test: fireAlarm,
  emergency_lighting_test: emergencyLighting,
  water_temperature_check: waterTemperature,
  outlet_flushing: outletFlushing,
  call_point_visual_check: callPointVisual,
  false_alarm: falseAlarm,
} as const satisfies { readonly [K in LogKind]: { kind: K } };
export type CheckOf<K extends LogKind> = (typeof checks)[K];
/** One entry of a record, as the form produces it. */
export type EntryOf<K extends LogKind> = z.infer<CheckOf<K>['entry']>;
/** The values that the server computes and stores with an entry. */
export type DerivedOf<K extends LogKind> = ReturnType<CheckOf<K>['judge']>['derived'];

/**
 * The definition of a kind that is known only at run time. Its entries have been parsed by the schema of the same kind.
 */
export function definitionOf(kind: LogKind): CheckDefinition {
  return checks[kind];
}

/** The list as a non-empty tuple, which `z.discriminatedUnion` requires. */
function atLeastOne<Member>([first, ...others]: readonly Member[]): [Member, ...Member[]] {
  if (first === undefined) throw new Error('no kind of check is defined');
  return [first, ...others];
}

/** Input of `checks.record`. */
export const recordVisitInput = z.discriminatedUnion(
  'kind',
  atLeastOne(LOG_KINDS.map((kind) => checks[kind].record)),
);
export type RecordVisitInput = z.infer<typeof recordVisitInput>;

/** Input of `checks.amend`: the whole corrected entry, with an id of its own. */
export const amendEntryInput = z.discriminatedUnion(
  'kind',
  atLeastOne(LOG_KINDS.map((kind) => checks[kind].amend)),
);
export type AmendEntryInput = z.infer<typeof amendEntryInput>;

/** Answer of `checks.record`, shown to the operative. */
export type VisitReceipt = {
  /** The visit's id. */
  id: string;
  version: number;
  /** The number that people read, counted per building; null while the record is held. */
  logNumber: number | null;
  receivedAt: string;
  late: boolean;
  /** By how much the device's clock was ahead, in milliseconds. */
  clockOffsetMs: number;
  /** The recorder has lost access to the site or the permission to record: an administrator decides. */
  held: boolean;
  /** The test location was new and is suggested from now on. */
  pointAdded: boolean;
  /** The day by which the same check is due next at the site; null where it is not scheduled, and while it is held. */
  nextDue: string | null;
  raised: { entryId: string; issueId: string; referenceNumber: string; joined: boolean }[];
};
