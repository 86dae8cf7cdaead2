/** A run with more second tries than this fails, because so many are not accidental. */
const SECOND_TRIES_MAX = 3;
const SLOWEST = 10;

/**
 * Describes the result of a run: its parts and their seconds, the slowest files, every test that needed a second try, and, in
 * the last line, the numbers of tests that passed and failed.
 * @param {object} run
 * @param {{ seconds: number, failed: string[] }} [run.checks] the static checks, if they ran
 * @param {import('#tests/support/run/report.ts').TestReport & { code: number | null } | undefined} run.tests undefined if
 *   Vitest did not finish
 * @param {string[]} run.known tests that needed a second try in an earlier run: if one of them needs it again, the run fails
 * @returns {{ lines: string[], isSound: boolean }}
 */
export function closingLines({ checks, tests, known }) {
  const failedChecks = checks?.failed ?? [];
  if (tests === undefined) {
    const problem = 'The tests did not come to their end.';
    return {
      lines: [...checkLines(checks), problem, `0 passed, ${failedChecks.length + 1} failed`],
      isSound: false,
    };
  }
  const { suites, files, secondTries, errors } = tests;
  const repeated = secondTries.filter(({ test }) => known.includes(test));
  const refused = secondTries.length > SECOND_TRIES_MAX ? secondTries : repeated;
  const failed = tests.failed + failedChecks.length + errors + refused.length;
  const lines = [
    ...checkLines(checks),
    ...suites.map(({ name, seconds, work, count }) => {
      return `${name}: ${count} tests in ${whole(seconds)} s (${whole(work)} s of work)`;
    }),
    'The slowest files:',
    ...[...files]
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SLOWEST)
      .map(({ path, seconds }) => `  ${seconds.toFixed(1)} s ${path}`),
    ...(secondTries.length === 0 ? [] : [`Passed at the second try (${secondTries.length}):`]),
    ...secondTries.map(({ test, error }) => `  ${test}: ${error}`),
    ...(repeated.length === 0 ? [] : ['The run fails, because of tests/second-tries.txt:']),
    ...repeated.map(({ test }) => `  ${test}`),
    ...(secondTries.length > SECOND_TRIES_MAX
      ? [`The run fails: more than ${SECOND_TRIES_MAX} second tries.`]
      : []),
    ...(errors === 0 ? [] : [`Errors outside of tests: ${errors}`]),
    `${tests.passed - refused.length} passed, ${failed} failed`,
  ];
  return { lines, isSound: failed === 0 && tests.code === 0 };
}

function checkLines(checks) {
  if (checks === undefined) return [];
  const failed = checks.failed.length === 0 ? '' : `; failed: ${checks.failed.join(', ')}`;
  return [`types, lint, unused code: ${whole(checks.seconds)} s${failed}`];
}

const whole = (seconds) => Math.round(seconds);
