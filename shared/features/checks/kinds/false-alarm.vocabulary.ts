import { INCIDENT_VOCABULARY } from '../incidents.vocabulary.ts';
import { type LogPresentation, NO_READING } from '../log-presentation.ts';

export const ALARM_SOURCES = ['call_point', 'detector', 'other'] as const;
export type AlarmSource = (typeof ALARM_SOURCES)[number];
export const ALARM_SOURCE_LABELS: Readonly<Record<AlarmSource, string>> = {
  call_point: 'Call point',
  detector: 'Detector',
  other: 'Other',
};

export const falseAlarmMessages = {
  timeRequired: 'Please say at what time the alarm sounded.',
  sourceRequired: 'Please say what set the alarm off.',
  setOffByRequired: 'Please name what set the alarm off.',
  causeRequired: 'Please say what caused the alarm.',
  actionRequired: 'Please say what was done about it.',
  hint: 'Every false alarm is investigated and recorded in the fire log',
  causeHint: 'What the investigation found: burnt toast, dust from building work, a fault.',
  actionHint: 'What was done, and by whom: evacuated, reset, alarm company called.',
  noneHere: 'Please describe the false alarm.',
  saved: 'False alarm recorded in the fire log.',
  saveFailed: 'Failed to save the false alarm. Please try again.',
} as const;

const SOURCE_LABELS: Readonly<Record<string, string | undefined>> = ALARM_SOURCE_LABELS;

export const falseAlarmLog: LogPresentation = {
  reading: () => ({ ...NO_READING, outcome: INCIDENT_VOCABULARY.false_alarm.title }),
  details: ({ happenedAt, source, cause, actionTaken }) => [
    { label: 'Time', text: String(happenedAt) },
    { label: 'Set off by', text: SOURCE_LABELS[String(source)] ?? String(source) },
    { label: 'Cause', text: String(cause) },
    { label: 'Action taken', text: String(actionTaken) },
  ],
};
