/** The result of an entry, a visit or a period. The values are also written to exported files. */
export const LOG_RESULTS = ['pass', 'fail', 'not_tested'] as const;
export type LogResult = (typeof LOG_RESULTS)[number];

export const LOG_RESULT_LABELS: Readonly<Record<LogResult, string>> = {
  pass: 'Pass',
  fail: 'Fail',
  not_tested: 'Not tested',
};
