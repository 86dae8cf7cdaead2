import { CHECK_KINDS, CHECK_VOCABULARY, type CheckKind, type CheckStandard } from './kinds.vocabulary.ts';

// What happened by itself and is written into the log of a check: recorded, kept and corrected like one, but nothing was
// tested, so nothing is due, no period is done by it and no failure is raised.

/** As stored in `operative_visits.visit_type`, beside the kinds of checks. */
export const INCIDENT_KINDS = ['false_alarm'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** Everything that the log book holds. */
export const LOG_KINDS = [...CHECK_KINDS, ...INCIDENT_KINDS] as const;
export type LogKind = (typeof LOG_KINDS)[number];

export type IncidentVocabulary = {
  /** In /operative-tasks/<slug>. */
  slug: string;
  title: string;
  /** The check whose log it stands in. */
  log: CheckKind;
  standard: CheckStandard;
  /** What the button of its form says. */
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

/** The check whose log a record stands in. */
export function logOf(kind: LogKind): CheckKind {
  return isIncident(kind) ? INCIDENT_VOCABULARY[kind].log : kind;
}

/** What else is written into the log of a check. */
export function incidentsOf(log: CheckKind): IncidentKind[] {
  return INCIDENT_KINDS.filter((kind) => INCIDENT_VOCABULARY[kind].log === log);
}

export function titleOf(kind: LogKind): string {
  return isIncident(kind) ? INCIDENT_VOCABULARY[kind].title : CHECK_VOCABULARY[kind].title;
}

/** In /operative-tasks/<slug>. */
export function slugOf(kind: LogKind): string {
  return isIncident(kind) ? INCIDENT_VOCABULARY[kind].slug : CHECK_VOCABULARY[kind].slug;
}

/** What can be recorded behind a part of an address. */
export function logKindOfSlug(slug: string): LogKind | undefined {
  return LOG_KINDS.find((kind) => slug === slugOf(kind));
}
