import type { Cadence } from '../../check-periods.ts';

// Separate from the definitions, so that a first screen can name a check without loading the validation library.

/** As stored in `operative_visits.visit_type`: a value is never renamed or reused. */
export const CHECK_KINDS = [
  'fire_alarm_test',
  'emergency_lighting_test',
  'water_temperature_check',
  'outlet_flushing',
  'call_point_visual_check',
] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

export const CHECK_STANDARDS = ['BS 5839', 'BS 5266', 'HSG 274'] as const;
export type CheckStandard = (typeof CHECK_STANDARDS)[number];

export type CheckVocabulary = {
  /** The part of the address in /operative-tasks/<slug> and /logbook/<slug>. */
  slug: string;
  title: string;
  /** The heading of its log. */
  logTitle: string;
  /** The standard according to which it is recorded. */
  standard: CheckStandard;
  cadence: Cadence;
  /** The number of days in a period on which the check may be due in healthcare premises, instead of one day. */
  healthcareTimes?: 2;
  /** The words for the subject of one entry. */
  subject: { one: string; many: string };
  /** One tested subject completes a period (ruling T23); otherwise every subject in use does. */
  oneIsEnough?: true;
  /** The kind is off until an operator switches it on. */
  isOptional?: true;
};

export const CHECK_VOCABULARY: Readonly<Record<CheckKind, CheckVocabulary>> = {
  fire_alarm_test: {
    slug: 'fire-alarm',
    title: 'Fire alarm test',
    logTitle: 'Fire alarm weekly log',
    standard: 'BS 5839',
    cadence: 'weekly',
    subject: { one: 'Call point', many: 'Call points' },
    oneIsEnough: true,
  },
  emergency_lighting_test: {
    slug: 'emergency-lighting',
    title: 'Emergency lighting test',
    logTitle: 'Emergency lighting log',
    standard: 'BS 5266',
    cadence: 'monthly',
    subject: { one: 'Fitting', many: 'Fittings' },
  },
  water_temperature_check: {
    slug: 'water-temperature',
    title: 'Water temperature check',
    logTitle: 'Water temperature log',
    standard: 'HSG 274',
    cadence: 'monthly',
    subject: { one: 'Outlet', many: 'Outlets' },
  },
  outlet_flushing: {
    slug: 'outlet-flushing',
    title: 'Outlet flushing',
    logTitle: 'Outlet flushing log',
    standard: 'HSG 274',
    cadence: 'weekly',
    healthcareTimes: 2,
    subject: { one: 'Outlet', many: 'Outlets' },
  },
  call_point_visual_check: {
    slug: 'call-point-visual',
    title: 'Call point and panel visual check',
    logTitle: 'Call point and panel visual log',
    standard: 'BS 5839',
    cadence: 'weekly',
    subject: { one: 'Call point or panel', many: 'Call points and panels' },
    isOptional: true,
  },
};

/** Whether an operator has to switch this kind on. */
export function isOptional(kind: CheckKind): boolean {
  return CHECK_VOCABULARY[kind].isOptional === true;
}

/** The kind with this slug, if any. */
export function kindOfSlug(slug: string): CheckKind | undefined {
  return CHECK_KINDS.find((kind) => CHECK_VOCABULARY[kind].slug === slug);
}

/**
 * The checks that can satisfy a task: each kind of check, or a part of a kind that is a separate duty. The names are
 * stored with tasks, and never change.
 */
export const TASK_CHECKS = [
  'alarm_test',
  'lighting_function',
  'lighting_duration',
  'outlet_temperatures',
  'flushing',
  'visual_check',
] as const;
export type TaskCheck = (typeof TASK_CHECKS)[number];

export type TaskCheckVocabulary = {
  kind: CheckKind;
  label: string;
  /** `periods`: due in every period of the kind, by the site's schedule. `annual`: due a year after it was last complete. */
  rhythm: 'periods' | 'annual';
  /** Only entries with this value in this field count. Absent: all entries count. */
  only?: { field: string; value: string };
};

export const TASK_CHECK_VOCABULARY: Readonly<Record<TaskCheck, TaskCheckVocabulary>> = {
  alarm_test: { kind: 'fire_alarm_test', label: 'Fire alarm test', rhythm: 'periods' },
  lighting_function: {
    kind: 'emergency_lighting_test',
    label: 'Emergency lighting test, monthly function',
    rhythm: 'periods',
    only: { field: 'testType', value: 'monthly_function' },
  },
  lighting_duration: {
    kind: 'emergency_lighting_test',
    label: 'Emergency lighting test, annual duration',
    rhythm: 'annual',
    only: { field: 'testType', value: 'annual_duration' },
  },
  outlet_temperatures: {
    kind: 'water_temperature_check',
    label: 'Water temperature check',
    rhythm: 'periods',
  },
  flushing: { kind: 'outlet_flushing', label: 'Outlet flushing', rhythm: 'periods' },
  visual_check: {
    kind: 'call_point_visual_check',
    label: 'Call point and panel visual check',
    rhythm: 'periods',
  },
};

/** The entries of a kind that complete its periods; undefined if all of them do. */
export function countedInPeriods(kind: CheckKind): TaskCheckVocabulary['only'] {
  return Object.values(TASK_CHECK_VOCABULARY).find(
    (check) => check.kind === kind && check.rhythm === 'periods',
  )?.only;
}

/** How often a task that this check satisfies is due. */
export function frequencyOfCheck(check: TaskCheck): Cadence | 'annually' {
  const { kind, rhythm } = TASK_CHECK_VOCABULARY[check];
  return rhythm === 'annual' ? 'annually' : CHECK_VOCABULARY[kind].cadence;
}

/** The cadence as cards show it. */
export const CADENCE_LABELS: Readonly<Record<Cadence, string>> = { weekly: 'Weekly', monthly: 'Monthly' };

/** A record is marked if the device's clock differs from the server's by more than this. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** A record is marked late if it arrives more than this after the end of its day. */
export const LATE_AFTER_MS = 24 * 3_600_000;

/** The maximum lengths of texts in a record. */
export const CHECK_NOTES_MAX = 2_000;
export const TEST_LOCATION_MAX = 200;
export const OPERATIVE_NAME_MAX = 200;
/** The most entries of one record. */
export const CHECK_ENTRIES_MAX = 500;
