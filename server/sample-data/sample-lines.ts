import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { definitionOf } from '#shared/features/checks/index.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { FinishedVisit } from '../features/checks/checks.writes.ts';
import type { BuildingSubject } from '../features/checks/subjects.ts';
import type { SampleFailure } from './sample-failures.ts';
import type { SampleAlarm } from './sample-false-alarms.ts';

/** The subject of an entry in a sample visit, and its failure or alarm. */
export type SampleLine = {
  subject: BuildingSubject;
  failure?: SampleFailure | undefined;
  alarm?: SampleAlarm | undefined;
};

/** Builds an entry in its stored form, judged in the same way as when it is recorded. */
export function entryOf(
  kind: LogKind,
  { subject, failure, alarm }: SampleLine,
  { n, healthcare }: { n: number; healthcare: boolean },
): FinishedVisit['entries'][number] {
  const check = definitionOf(kind);
  const id = uuidv7();
  const line = alarm === undefined ? lineOf(kind, subject, failure, n) : alarmLine(alarm);
  const { result, derived } = check.judge(line, { outletKind: subject.outletKind, healthcare });
  return {
    id,
    photoIds: [],
    assetId: subject.assetId,
    subjectKey: subject.subjectKey,
    subjectName: subject.name,
    subjectPlace: subject.location,
    assetRetired: false,
    result,
    retestOf: null,
    failure: null,
    stored: { ...line, ...derived },
    issueId: failure?.issueId ?? null,
  };
}

function alarmLine({ code: _code, day: _day, ...said }: SampleAlarm): Record<string, unknown> {
  return { ...said, assetId: null, notes: null };
}

function lineOf(
  kind: LogKind,
  subject: BuildingSubject,
  failure: SampleFailure | undefined,
  n: number,
): Record<string, unknown> {
  const notes = failure?.notes ?? null;
  const passed = failure === undefined;
  switch (kind) {
    case 'fire_alarm_test':
      return { locationTested: subject.name, assetId: subject.assetId, passed, notes };
    case 'emergency_lighting_test':
      return { assetId: subject.assetId, passed, testType: 'monthly_function', minutes: null, notes };
    case 'water_temperature_check':
      return {
        outletId: subject.assetId,
        temperatureCelsius: failure?.celsius ?? reading(subject, n),
        blendedCelsius: subject.outletKind === 'mixed' ? 40 + (n % 15) / 10 : null,
        notes,
      };
    default:
      return { outletId: subject.assetId, isFlushed: passed, minutes: passed ? 2 + (n % 3) : null, notes };
  }
}

/** A reading within the limits that varies from visit to visit. */
function reading({ outletKind, name }: BuildingSubject, n: number): number {
  const around = { cold: 13.5, hot: 58, mixed: 54, calorifier_flow: 62.5, calorifier_return: 53 };
  const drift = (hash(`${name} ${n}`) % 50) / 10 - 2.5;
  return Math.round((around[outletKind ?? 'cold'] + drift) * 10) / 10;
}

/** A deterministic hash, so that sample data vary between entries but not between starts. */
export function hash(text: string): number {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 100_003;
  return sum;
}
