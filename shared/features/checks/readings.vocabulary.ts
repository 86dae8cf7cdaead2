import type { LogKind } from './incidents.vocabulary.ts';
import { emergencyLightingLog } from './kinds/emergency-lighting.vocabulary.ts';
import { falseAlarmLog } from './kinds/false-alarm.vocabulary.ts';
import { fireAlarmLog } from './kinds/fire-alarm.vocabulary.ts';
import { outletFlushingLog } from './kinds/outlet-flushing.vocabulary.ts';
import { waterTemperatureLog } from './kinds/water-temperature.vocabulary.ts';
import { CHECK_KINDS, type CheckKind } from './kinds.vocabulary.ts';
import type { LogResult } from './log.vocabulary.ts';
import {
  type Detail,
  type LogPresentation,
  type Measures,
  NO_READING,
  type Reading,
} from './log-presentation.ts';
import type { CheckEntry, CheckVisit, EntryValues } from './rows.ts';

/** The words of the kinds whose log shows more than results and notes. */
const LOG_WORDS: Readonly<Partial<Record<LogKind, LogPresentation>>> = {
  fire_alarm_test: fireAlarmLog,
  emergency_lighting_test: emergencyLightingLog,
  water_temperature_check: waterTemperatureLog,
  outlet_flushing: outletFlushingLog,
  false_alarm: falseAlarmLog,
};
const NO_WORDS: LogPresentation = {};

export function logWordsOf(kind: LogKind): LogPresentation {
  return LOG_WORDS[kind] ?? NO_WORDS;
}

/** The check whose readings are drawn as the trend of an asset: the only kind that measures. Throws if no kind measures. */
export function trendOf(): Measures & { kind: CheckKind } {
  for (const kind of CHECK_KINDS) {
    const { measures } = logWordsOf(kind);
    if (measures !== undefined) return { kind, ...measures };
  }
  throw new Error('no kind of check measures');
}

/** An entry's result and reading in words, the same on screens and in files. */
export function readingOf(kind: LogKind, result: LogResult, values: EntryValues): Reading {
  return logWordsOf(kind).reading?.(result, values) ?? NO_READING;
}

/** Further facts about an entry, besides its result, reading and notes. */
export function entryDetails(kind: LogKind, values: EntryValues): Detail[] {
  return logWordsOf(kind).details?.(values) ?? [];
}

type OfVisit = Pick<CheckVisit, 'kind' | 'supplyRestored' | 'filledAtOnce' | 'openSeconds'>;

/** Facts about a visit as a whole, and about how its form was filled in. */
export function visitDetails(visit: OfVisit): Detail[] {
  const { kind, supplyRestored } = visit;
  const how = howFilled(visit);
  const { supply } = logWordsOf(kind);
  return [
    ...(supply === undefined ? [] : [{ label: supply.label, text: supplyInWords(supply, supplyRestored) }]),
    ...(how === '' ? [] : [{ label: HOW_FILLED, text: how }]),
  ];
}

const HOW_FILLED = 'How it was recorded';

/** "All 12 marked flushed at once; form open 1 min 40 s". Old events lack both fields; the text is then empty. */
function howFilled({ kind, filledAtOnce, openSeconds }: OfVisit): string {
  const marked = logWordsOf(kind).markedAtOnce;
  const parts: string[] = [];
  if (marked !== undefined && filledAtOnce != null && filledAtOnce.lines > 0) {
    const { lines, of } = filledAtOnce;
    parts.push(`${lines === of && of > 1 ? `All ${of}` : `${lines} of ${of}`} ${marked}`);
  }
  if (openSeconds != null) parts.push(`form open ${secondsInWords(openSeconds)}`);
  const [first = '', ...others] = parts;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join('; ');
}

/** "40 s", "1 min 40 s", "2 h 5 min". */
function secondsInWords(seconds: number): string {
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  const last = hours > 0 ? '' : `${seconds % 60} s`;
  const said = [hours > 0 && `${hours} h`, minutes > 0 && `${minutes} min`, last !== '0 s' && last];
  return said.filter((part) => part !== false && part !== '').join(' ') || last;
}

function supplyInWords(
  { notRecorded }: NonNullable<LogPresentation['supply']>,
  restored: boolean | null,
): string {
  if (restored === null) return notRecorded;
  return restored ? 'Yes' : 'No';
}

/** The field of the visit that an amendment has corrected, with its value before and after; null if there is none. */
export function visitCorrection({
  kind,
  supplyAmended,
}: Pick<CheckVisit, 'kind'> & Pick<CheckEntry, 'supplyAmended'>): {
  label: string;
  before: string;
  after: string;
} | null {
  const { supply } = logWordsOf(kind);
  // Old events lack this field.
  if (supply === undefined || supplyAmended == null) return null;
  return {
    label: supply.label,
    before: supplyInWords(supply, supplyAmended.was),
    after: supplyInWords(supply, supplyAmended.is),
  };
}
