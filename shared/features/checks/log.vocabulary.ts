/** What a period of a log came to. `not_tested` is also what stands in files. */
export const LOG_RESULTS = ['pass', 'fail', 'not_tested'] as const;
export type LogResult = (typeof LOG_RESULTS)[number];

export const LOG_RESULT_LABELS: Readonly<Record<LogResult, string>> = {
  pass: 'Pass',
  fail: 'Fail',
  not_tested: 'Not tested',
};
