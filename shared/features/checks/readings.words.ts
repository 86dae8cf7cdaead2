import { unreachable } from '../../unreachable.ts';
import { ALARM_SOURCE_LABELS, INCIDENT_WORDS, type LogKind } from './incidents.words.ts';
import { emergencyLightingMessages } from './kind-messages.ts';
import type { LogResult } from './log.words.ts';
import type { CheckEntry, CheckVisit, EntryValues } from './rows.ts';

/** What a line says of its kind: the result in its own word, and the reading with the limits that judged it. */
export type Reading = {
  outcome: string | null;
  /** "54.1 °C". */
  reading: string | null;
  value: number | null;
  min: number | null;
  max: number | null;
};

const NOTHING: Reading = { outcome: null, reading: null, value: null, min: null, max: null };
const FLUSHING_OUTCOMES: Readonly<Record<LogResult, string>> = {
  pass: 'Flushed',
  fail: 'Could not flush',
  not_tested: 'Not attempted',
};

/** A line's result and reading in words, for screens and files alike. */
export function readingOf(kind: LogKind, result: LogResult, values: EntryValues): Reading {
  switch (kind) {
    case 'fire_alarm_test':
    case 'call_point_visual_check':
      return NOTHING;
    case 'emergency_lighting_test': {
      const minutes = numberOf(values['minutes']);
      return { ...NOTHING, reading: minutes === null ? null : `${minutes} min`, value: minutes };
    }
    case 'water_temperature_check': {
      const value = numberOf(values['temperatureCelsius']);
      return {
        outcome: result === 'pass' ? 'Satisfactory' : 'Unsatisfactory',
        reading: value === null ? null : `${value.toFixed(1)} °C`,
        value,
        min: numberOf(values['limitMin']),
        max: numberOf(values['limitMax']),
      };
    }
    case 'outlet_flushing': {
      const minutes = numberOf(values['minutes']);
      return {
        ...NOTHING,
        outcome: FLUSHING_OUTCOMES[result],
        reading: minutes === null ? null : `${minutes} min`,
      };
    }
    case 'false_alarm':
      return { ...NOTHING, outcome: INCIDENT_WORDS[kind].title };
    default:
      return unreachable(kind);
  }
}

function numberOf(value: EntryValues[string] | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** Something more that is said of a record, under its own name. */
export type Detail = { label: string; text: string };

/** What was said of a line beside its result, its reading and its notes. */
export function lineDetails(kind: LogKind, values: EntryValues): Detail[] {
  if (kind !== 'false_alarm') return [];
  const { happenedAt, source, cause, actionTaken } = values;
  const sources: Readonly<Record<string, string | undefined>> = ALARM_SOURCE_LABELS;
  return [
    { label: 'Time', text: String(happenedAt) },
    { label: 'Set off by', text: sources[String(source)] ?? String(source) },
    { label: 'Cause', text: String(cause) },
    { label: 'Action taken', text: String(actionTaken) },
  ];
}

/** What was said of a visit as a whole. */
export function visitDetails({
  kind,
  supplyRestored,
}: Pick<CheckVisit, 'kind' | 'supplyRestored'>): Detail[] {
  if (kind !== 'emergency_lighting_test') return [];
  return [{ label: emergencyLightingMessages.supplyRestored, text: supplyInWords(supplyRestored) }];
}

function supplyInWords(restored: boolean | null): string {
  if (restored === null) return emergencyLightingMessages.supplyNotRecorded;
  return restored ? 'Yes' : 'No';
}

/** What a correction put right of its visit: how it stood before, and how since. */
export function visitCorrection({
  supplyAmended,
}: Pick<CheckEntry, 'supplyAmended'>): { label: string; before: string; after: string } | null {
  // An event of earlier days has no such field.
  if (supplyAmended == null) return null;
  return {
    label: emergencyLightingMessages.supplyRestored,
    before: supplyInWords(supplyAmended.was),
    after: supplyInWords(supplyAmended.is),
  };
}
