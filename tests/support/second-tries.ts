import type { Reporter, TestModule } from 'vitest/node';

/**
 * The message of an error that is a time-out and nothing else: of Playwright ("locator.click: Timeout 30000ms
 * exceeded."), or of the runner. A failed expectation has another, also where it was polled for until its time was up.
 */
export const TIME_OUT = /^(?:[\w.]+: )?Timeout \d+ms exceeded|^(?:Test|Hook) timed out in \d+ms/;

/** A test that passed when it ran a second time, with what its first run failed of. */
export type SecondTry = { test: string; errors: readonly string[] };

/** Lines that name the tests, and whether a first run failed of anything else than a time-out. */
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
