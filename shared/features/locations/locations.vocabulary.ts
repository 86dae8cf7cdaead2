/** The kinds of records that may belong to a client, a building or a floor. */
export const DEPENDENT_KINDS = ['building', 'floor', 'asset', 'issue', 'check', 'task'] as const;
export type DependentKind = (typeof DEPENDENT_KINDS)[number];

/** The words after the number one; for other numbers, an s is added. */
export const DEPENDENT_LABELS: Readonly<Record<DependentKind, string>> = {
  building: 'building',
  floor: 'floor',
  asset: 'asset',
  issue: 'issue',
  check: 'safety check',
  task: 'compliance task',
};
