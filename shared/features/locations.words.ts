/** What may hang below a client, a building or a floor. */
export const RECORD_KINDS = ['building', 'floor', 'asset', 'issue', 'check'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** After a number. */
export const RECORD_LABELS: Readonly<Record<RecordKind, string>> = {
  building: 'building(s)',
  floor: 'floor(s)',
  asset: 'asset(s)',
  issue: 'issue(s)',
  check: 'safety check(s)',
};
