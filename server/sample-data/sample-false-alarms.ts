import { addDays, DAY_MS, DEFAULT_TIME_ZONE, dayOf } from '#shared/dates.ts';
import type { AlarmSource } from '#shared/features/checks/kinds/false-alarm.vocabulary.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import type { BuildingSubject } from '../features/checks/subjects.ts';

/** A false alarm and its investigation. */
export type SampleAlarm = {
  code: string;
  day: string;
  happenedAt: string;
  source: AlarmSource;
  setOffBy: string;
  cause: string;
  actionTaken: string;
};

type Told = readonly [
  code: string,
  /** A day, or a number of weeks ago. */
  when: string | number,
  happenedAt: string,
  source: AlarmSource,
  setOffBy: string,
  cause: string,
  actionTaken: string,
];

// biome-ignore format: one alarm, one line
const ALARMS: readonly Told[] = [
  ['HAR', '2025-06-17', '12:41', 'detector', 'Smoke detector, staff kitchen', 'Toaster left unattended under the detector.', 'Evacuated for eight minutes, panel reset. Toaster moved.'],
  ['HAR', '2025-10-28', '09:05', 'call_point', 'Ground Floor Corridor', 'Struck by a trolley of the catering company.', 'Glass replaced, panel reset. Guard rail fitted.'],
  ['HAR', 4, '15:20', 'detector', 'Smoke detector, 2nd floor plant room', 'Dust of drilling; the zone was not isolated.', 'Panel reset. Contractors sign the isolation sheet from now on.'],
  ['QUA', 9, '19:52', 'other', 'Flow switch of the sprinklers', 'Pressure surge of the water main.', 'Fire service stood down, alarm company set the delay to 30 s.'],
];

/** The sample's false alarms, all on past days. */
export function sampleFalseAlarms(now: number): SampleAlarm[] {
  return ALARMS.map(([code, when, happenedAt, source, setOffBy, cause, actionTaken]) => {
    const day = typeof when === 'string' ? when : addDays(dayOf(now - DAY_MS, DEFAULT_TIME_ZONE), -7 * when);
    return { code, day, happenedAt, source, setOffBy, cause, actionTaken };
  });
}

/** The device that set off the alarm, as a subject. */
export function alarmSubject({ setOffBy }: SampleAlarm, buildingId: string): BuildingSubject {
  return {
    buildingId,
    subjectKey: nameKey(setOffBy),
    assetId: null,
    name: setOffBy,
    description: '',
    location: null,
    floorName: null,
    roomName: null,
    type: 'call_point',
    outletKind: null,
  };
}
