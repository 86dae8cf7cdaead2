import type { Reporter, TestModule } from 'vitest/node';

/**
 * Matches the message of a mere time-out, of Playwright ("locator.click: Timeout 30000ms exceeded.") or of the runner.
 * A failed expectation has another message, also if it was polled until its time was up.
 */
export const TIME_OUT = /^(?:[\w.]+: )?Timeout \d+ms exceeded|^(?:Test|Hook) timed out in \d+ms/;

/** A test that passed when it ran a second time, with the errors of its first run. */
export type SecondTry = { test: string; errors: readonly string[] };

/** Lists these tests, and tells whether all first runs failed of time-outs only. */
export function secondTriesReport(tries: readonly SecondTry[]): { lines: string[]; isSound: boolean } {
  if (tries.length === 0) return { lines: [], isSound: true };
  // The runner decides by the last error of a run; an expectation may have failed before it.
  const unsound = tries.filter(({ errors }) => !errors.every((message) => TIME_OUT.test(message)));
  return {
    lines: [
      `Passed at the second try, after a time-out (${tries.length}):`,
      ...tries.map(line),
      ...(unsound.length === 0 ? [] : ['The run fails, because an expectation failed in the first try of:']),
      ...unsound.map(line),
    ],
    isSound: unsound.length === 0,
  };
}

function line({ test, errors }: SecondTry): string {
  return `  ${test}: ${errors.map((message) => message.split('\n')[0]).join('; ')}`;
}

/** Names every test that passed only at its second try, at the end of a run. */
export class SecondTriesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tries = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky === true)
        .map((test) => ({
          test: `${module.relativeModuleId} > ${test.fullName}`,
          errors: (test.result().errors ?? []).map(({ message }) => message),
        })),
    );
    const { lines, isSound } = secondTriesReport(tries);
    if (lines.length > 0) console.log(`\n${lines.join('\n')}`);
    if (!isSound) process.exitCode = 1;
  }
}
