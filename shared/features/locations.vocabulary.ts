/** The kinds of records that may belong to a client, a building or a floor. */
export const DEPENDENT_KINDS = ['building', 'floor', 'asset', 'issue', 'check', 'task'] as const;
export type DependentKind = (typeof DEPENDENT_KINDS)[number];

/** The labels after a number. */
export const DEPENDENT_LABELS: Readonly<Record<DependentKind, string>> = {
  building: 'building(s)',
  floor: 'floor(s)',
  asset: 'asset(s)',
  issue: 'issue(s)',
  check: 'safety check(s)',
  task: 'compliance task(s)',
};
