import { writeFileSync } from 'node:fs';
import type { SerializedError, TestError } from 'vitest';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { askedSeed } from '../random.ts';

/** The data of a test run for its closing lines (`scripts/lib/closing-lines.mjs`). Times are in seconds. */
export type TestReport = {
  passed: number;
  failed: number;
  /** Faults outside of tests, such as a rejection that nothing handled. */
  errors: number;
  /** `seconds` is from the first start to the last end, `work` the sum over the files of the suite. */
  suites: { name: string; count: number; seconds: number; work: number }[];
  files: { path: string; seconds: number }[];
  /** The tests that passed only in the retry, with the first line of the first error and the place of that error. */
  secondTries: { test: string; error: string }[];
};

/** Writes a `TestReport` to the file named by TEST_REPORT, and prints the seed of a run that failed. */
export class ReportWriter implements Reporter {
  readonly #started = new Map<string, number>();
  readonly #ended = new Map<string, number>();

  onTestModuleStart({ project }: TestModule): void {
    if (!this.#started.has(project.name)) this.#started.set(project.name, performance.now());
  }

  onTestModuleEnd({ project }: TestModule): void {
    this.#ended.set(project.name, performance.now());
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const seed = askedSeed();
    if (seed !== undefined && !modules.every((module) => module.ok())) {
      console.log(`TEST_SEED=${seed} repeats what was done by chance.`);
    }
    const path = process.env['TEST_REPORT'];
    if (path === undefined) return;
    const report: TestReport = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failed:
        tests.filter((test) => test.result().state === 'failed').length + modules.filter(isBroken).length,
      errors: unhandled.length,
      suites: [...this.#started].map(([name, started]) => {
        const own = modules.filter(({ project }) => project.name === name);
        return {
          name,
          count: own.reduce((sum, { children }) => sum + [...children.allTests()].length, 0),
          seconds: ((this.#ended.get(name) ?? started) - started) / 1000,
          work: own.reduce((sum, module) => sum + secondsOf(module), 0),
        };
      }),
      files: modules.map((module) => ({ path: module.relativeModuleId, seconds: secondsOf(module) })),
      secondTries: tests.filter((test) => test.diagnostic()?.flaky === true).map(secondTry),
    };
    writeFileSync(path, JSON.stringify(report));
  }
}

/** Whether a file failed apart from its tests: at its import, or in a hook. */
function isBroken(module: TestModule): boolean {
  return (
    module.errors().length > 0 || [...module.children.allSuites()].some((suite) => suite.errors().length > 0)
  );
}

function secondsOf(module: TestModule): number {
  const { collectDuration, duration, setupDuration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}

function secondTry(test: TestCase): TestReport['secondTries'][number] {
  const [first] = test.result().errors ?? [];
  return {
    test: `${test.module.relativeModuleId} > ${test.fullName}`,
    error: `${first?.message.split('\n')[0] ?? 'no error is known'} (${placeOf(test, first)})`,
  };
}

/** The line of the test's own file in which an error happened, or else the first of any file. */
function placeOf(test: TestCase, error: TestError | undefined): string {
  const stacks = error?.stacks ?? [];
  const own = stacks.find(({ file }) => file.endsWith(test.module.relativeModuleId)) ?? stacks[0];
  return own === undefined ? 'nowhere known' : `${own.file.replace(/^.*(?=tests\/)/, '')}:${own.line}`;
}
