import { CHECK_KINDS, CHECK_VOCABULARY, type CheckKind, type CheckStandard } from './kinds.vocabulary.ts';

// Incidents, such as false alarms, are written into the log of a check. They are recorded, stored and amended like a check,
// but test nothing: they are never due, do not complete a period and raise no issue.

/** As stored in `operative_visits.visit_type`, beside the kinds of checks. */
export const INCIDENT_KINDS = ['false_alarm'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** The kinds of all records in the log book. */
export const LOG_KINDS = [...CHECK_KINDS, ...INCIDENT_KINDS] as const;
export type LogKind = (typeof LOG_KINDS)[number];

export type IncidentVocabulary = {
  /** The part of the address in /operative-tasks/<slug>. */
  slug: string;
  title: string;
  /** The check in whose log it is shown. */
  log: CheckKind;
  standard: CheckStandard;
  /** The label of its record button. */
  record: string;
};

export const INCIDENT_VOCABULARY: Readonly<Record<IncidentKind, IncidentVocabulary>> = {
  false_alarm: {
    slug: 'false-alarm',
    title: 'False alarm',
    log: 'fire_alarm_test',
    standard: 'BS 5839',
    record: 'Record false alarm',
  },
};

export function isIncident(kind: LogKind): kind is IncidentKind {
  return Object.hasOwn(INCIDENT_VOCABULARY, kind);
}

/** The check in whose log a record of this kind is shown. */
export function logOf(kind: LogKind): CheckKind {
  return isIncident(kind) ? INCIDENT_VOCABULARY[kind].log : kind;
}

/** The incidents that are shown in the log of a check. */
export function incidentsOf(log: CheckKind): IncidentKind[] {
  return INCIDENT_KINDS.filter((kind) => INCIDENT_VOCABULARY[kind].log === log);
}

export function titleOf(kind: LogKind): string {
  return isIncident(kind) ? INCIDENT_VOCABULARY[kind].title : CHECK_VOCABULARY[kind].title;
}

/** The part of the address in /operative-tasks/<slug>. */
export function slugOf(kind: LogKind): string {
  return isIncident(kind) ? INCIDENT_VOCABULARY[kind].slug : CHECK_VOCABULARY[kind].slug;
}

/** The kind with this slug, if any. */
export function logKindOfSlug(slug: string): LogKind | undefined {
  return LOG_KINDS.find((kind) => slug === slugOf(kind));
}
