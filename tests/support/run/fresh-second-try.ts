import { TestRunner } from 'vitest';

type Test = Parameters<TestRunner['onBeforeRunTask']>[0];
type Suite = NonNullable<Test['suite']>;

const isCi = (process.env['CI'] ?? '') !== '';
const isTwice = (process.env['TEST_TWICE'] ?? '') !== '';

/**
 * If `CI` is set, a failed browser test gets a retry (decision 182), because a browser on a shared machine sometimes gets
 * too little processor time. The retry starts like the first try: the file's own hooks end the database, server and people,
 * and create them again. Otherwise the test would meet the rows of its first try.
 *
 * With `TEST_TWICE=1` each test runs twice in this way, which shows tests that keep state outside of their hooks.
 */
export default class FreshSecondTry extends TestRunner {
  override async onBeforeRunTask(test: Test): Promise<void> {
    if (isTwice) test.repeats = 1;
    if (isCi && test.file.filepath.endsWith('.spec.ts')) test.retry = 1;
    await super.onBeforeRunTask(test);
  }

  /** Called after each try, while its windows are still open. */
  async onTaskFinished(test: Test): Promise<void> {
    if (test.result?.state !== 'fail') return;
    // Loaded only now, because most tests need no browser.
    const { describeWindows } = await import('../browser/failed-windows.ts');
    await describeWindows(test.name);
  }

  override onBeforeTryTask(test: Test, options?: { retry: number; repeats: number }): void | Promise<void> {
    super.onBeforeTryTask(test);
    if (options !== undefined && options.retry + options.repeats > 0) return makeAgain(test);
  }
}

async function makeAgain(test: Test): Promise<void> {
  const suites = suitesOf(test);
  for (const suite of suites) {
    for (const end of [...TestRunner.getSuiteHooks(suite).afterAll].reverse()) await end(suite);
  }
  for (const suite of suites.reverse()) {
    for (const make of TestRunner.getSuiteHooks(suite).beforeAll) await make(suite);
  }
}

/** The suites around a test, the innermost first and the file last. */
function suitesOf(test: Test): Suite[] {
  const suites: Suite[] = [];
  for (let suite: Suite | undefined = test.suite; suite !== undefined; suite = suite.suite)
    suites.push(suite);
  return [...suites, test.file];
}
