import { z } from 'zod';
import type { CheckDefinition } from './define.ts';
import { LOG_KINDS, type LogKind } from './incidents.vocabulary.ts';
import { callPointVisual } from './kinds/call-point-visual.ts';
import { emergencyLighting } from './kinds/emergency-lighting.ts';
import { falseAlarm } from './kinds/false-alarm.ts';
import { fireAlarm } from './kinds/fire-alarm.ts';
import { outletFlushing } from './kinds/outlet-flushing.ts';
import { waterTemperature } from './kinds/water-temperature.ts';

// The registry of the definitions. Each kind is named here, among the kinds (`kinds.vocabulary.ts`, an incident in
// `incidents.vocabulary.ts`) and among the tables; where it has words of its own, in `readings.vocabulary.ts`.

export const checks = {
  fire_alarm_test: fireAlarm,
  emergency_lighting_test: emergencyLighting,
  water_temperature_check: waterTemperature,
  outlet_flushing: outletFlushing,
  call_point_visual_check: callPointVisual,
  false_alarm: falseAlarm,
} as const satisfies { readonly [K in LogKind]: { kind: K } };
export type CheckOf<K extends LogKind> = (typeof checks)[K];
/** One line of a record, as its form makes it. */
export type EntryOf<K extends LogKind> = z.infer<CheckOf<K>['entry']>;
/** What the server adds to a line. */
export type DerivedOf<K extends LogKind> = ReturnType<CheckOf<K>['judge']>['derived'];

/** The definition of a kind that is only known at run time: its lines were parsed by the schema of this very kind. */
export function definitionOf(kind: LogKind): CheckDefinition {
  return checks[kind];
}

/** A list that has at least one member, as a union of schemas asks for it. */
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

/** Input of `checks.amend`: the whole line as it should have been, with an id of its own. */
export const amendEntryInput = z.discriminatedUnion(
  'kind',
  atLeastOne(LOG_KINDS.map((kind) => checks[kind].amend)),
);
export type AmendEntryInput = z.infer<typeof amendEntryInput>;

/** Answer of `checks.record`, and what an operative is told. */
export type VisitReceipt = {
  /** The visit's. */
  id: string;
  version: number;
  /** The number that people read, counted per building; null while it is held. */
  logNumber: number | null;
  receivedAt: string;
  late: boolean;
  /** By how much the device's clock was ahead. */
  clockOffsetMs: number;
  /** Access to the site, or the role that records, was lost meanwhile: an administrator decides. */
  held: boolean;
  /** The place of the test is offered from now on, and was not before. */
  pointAdded: boolean;
  raised: { entryId: string; issueId: string; referenceNumber: string; joined: boolean }[];
};
