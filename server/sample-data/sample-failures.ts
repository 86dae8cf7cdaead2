import { eq } from 'drizzle-orm';
import { buildings } from '#db/schema/places.ts';
import { addDays, DAY_MS, DEFAULT_TIME_ZONE, dayOf, instantOf } from '#shared/dates.ts';
import { emergencyLightingMessages } from '#shared/features/checks/kinds/emergency-lighting.vocabulary.ts';
import { fireAlarmMessages } from '#shared/features/checks/kinds/fire-alarm.vocabulary.ts';
import { outletFlushingMessages } from '#shared/features/checks/kinds/outlet-flushing.vocabulary.ts';
import { waterTemperatureMessages } from '#shared/features/checks/kinds/water-temperature.vocabulary.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { IssuePriority } from '#shared/features/issues/issues.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { raiseIssue } from '../features/issues/issues.writes.ts';
import { runCommand } from '../kernel/commands.ts';
import type { SignedInContext } from '../kernel/context.ts';
import type { Story } from './sample-issues.ts';

/** A failed check and its consequences. */
export type SampleFailure = {
  code: string;
  kind: CheckKind;
  buildingId: string;
  /** The name of the subject in the register. */
  subject: string;
  /** Unix milliseconds, and the day of that moment. */
  at: number;
  day: string;
  /** Days until the passed retest; null: not retested yet. */
  retestedAfterDays: number | null;
  celsius?: number;
  notes: string;
  priority: IssuePriority;
  title: string;
  story: Story;
  comments: readonly string[];
  /** Set when the issue has been raised. */
  issueId: string;
};

type Told = readonly [
  code: string,
  kind: CheckKind,
  subject: string,
  /** A day, or a number of weeks ago. */
  when: string | number,
  retestedAfterDays: number | null,
  celsius: number | undefined,
  priority: IssuePriority,
  story: Story,
  notes: string,
  ...comments: string[],
];

// biome-ignore format: one failure, one line
const FAILURES: readonly Told[] = [
  ['HAR', 'fire_alarm_test', 'Procedures Room', '2025-03-14', 0, undefined, 'critical', 'closed', 'Sounders silent on the ground floor.', 'Loop card reseated, all zones sound.'],
  ['HAR', 'fire_alarm_test', 'Basement', '2025-09-05', 7, undefined, 'critical', 'closed', 'Point did not latch.', 'Call point replaced.'],
  ['HAR', 'fire_alarm_test', '1st Floor Corridor', 3, 0, undefined, 'critical', 'closed', 'Glass broken.', 'New glass fitted, retested on the spot.'],
  ['QUA', 'fire_alarm_test', 'Call Point CP-01', 30, 7, undefined, 'critical', 'closed', 'Panel showed the wrong zone.', 'Text of zone 4 corrected by the alarm company.'],
  ['STG', 'fire_alarm_test', 'Call Point CP-01', 16, 1, undefined, 'critical', 'closed', 'Door holders did not release on stair B.', 'Relay changed.'],
  ['ALB', 'fire_alarm_test', 'Call Point CP-01', 22, 0, undefined, 'critical', 'closed', 'No signal at the monitoring station.', 'Line restored; the station confirms.'],
  ['TAN', 'fire_alarm_test', 'Call Point CP-01', 1, null, undefined, 'critical', 'progress', 'Alarm could not be silenced at the panel.', 'Engineer is on the way.'],
  ['HAR', 'emergency_lighting_test', 'Emergency Light EL-02', 6, null, undefined, 'high', 'progress', 'Lit for seconds only; battery gone.', 'Battery ordered, comes on Tuesday.'],
  ['KIN', 'emergency_lighting_test', 'Emergency Light EL-01', 19, 28, undefined, 'high', 'closed', 'Dark in emergency mode.', 'Fitting replaced.'],
  ['MIL', 'water_temperature_check', 'Water Outlet 1', 2, null, 23.4, 'medium', 'open', 'Still warm after two minutes.'],
  ['PRI', 'water_temperature_check', 'Water Outlet 2', 7, 14, 43.5, 'high', 'closed', 'Residents noticed it, too.', 'Pump of the return had stopped. 57 °C again.'],
  ['HAR', 'water_temperature_check', 'Water Outlet 2', 11, null, 44.1, 'high', 'resolved', 'Only lukewarm.', 'Mixing valve adjusted; please measure again.'],
  ['LIM', 'outlet_flushing', 'Water Outlet 1', 1, null, undefined, 'medium', 'assigned', 'Room locked, nobody had the key.'],
];

/** The sample's failures with the moments at which they were found. */
export function sampleFailures(now: number, buildingIds: ReadonlyMap<string, string>): SampleFailure[] {
  return FAILURES.map(
    ([code, kind, subject, when, retestedAfterDays, celsius, priority, story, notes, ...comments], index) => {
      const day =
        typeof when === 'string' ? when : addDays(dayOf(now - DAY_MS, DEFAULT_TIME_ZONE), -7 * when);
      const buildingId = buildingIds.get(code);
      if (buildingId === undefined) throw new Error(`the sample has no building ${code}`);
      return {
        ...{ code, kind, buildingId, subject, day, retestedAfterDays, priority, story, notes, comments },
        ...(celsius === undefined ? {} : { celsius }),
        title: titleOf(kind, subject, celsius),
        at: instantOf(day, `09:${String(10 + index).padStart(2, '0')}`, DEFAULT_TIME_ZONE),
        issueId: '',
      };
    },
  );
}

function titleOf(kind: CheckKind, subject: string, celsius: number | undefined): string {
  switch (kind) {
    case 'fire_alarm_test':
      return fireAlarmMessages.issueTitle(subject);
    case 'emergency_lighting_test':
      return emergencyLightingMessages.issueTitle(subject);
    case 'water_temperature_check':
      return waterTemperatureMessages.issueTitle(subject, celsius ?? 0);
    default:
      return outletFlushingMessages.issueTitle(subject);
  }
}

/** Raises the issue of a failed check in the same way as recording a check does, by the context's clock. */
export function raiseSampleIssue(ctx: SignedInContext, failure: SampleFailure): Promise<string> {
  const input = { operationId: uuidv7() };
  return runCommand(ctx, 'checks.record', input, async (command) => {
    const [site] = await command.tx
      .select({ id: buildings.id, code: buildings.code, clientId: buildings.clientId })
      .from(buildings)
      .where(eq(buildings.id, failure.buildingId));
    if (site === undefined) throw new Error(`the sample has no building ${failure.code}`);
    const { title, notes, priority } = failure;
    return (await raiseIssue(command, site, { title, description: notes, priority })).id;
  });
}
