import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { closingLines } from '#scripts/lib/closing-lines.mjs';
import { foldersOf, knownSecondTries, SUITES } from '#scripts/lib/test-run.mjs';
import type { TestReport } from '#tests/support/run/report.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const foldersIn = (path: string) =>
  readdirSync(`${root}${path}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const features = [...new Set([...foldersIn('server/features'), ...foldersIn('web/features')])];

test.each(features)('the feature %s has tests, which test:for finds', (feature) => {
  expect(foldersOf([feature])).not.toEqual([]);
});

test.each(SUITES)('every test of %s lies in the folder of a feature or a part', (suite) => {
  const loose = readdirSync(`${root}tests/${suite}`, { withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(loose.map(({ name }) => name)).toEqual([]);
});

test('the list of second tries names files that are there', () => {
  const lost = knownSecondTries().filter((line) => !existsSync(`${root}${line.split(' > ')[0]}`));
  expect(lost).toEqual([]);
});

describe('the closing lines of a run', () => {
  type Ended = TestReport & { code: number };
  const TEST = 'tests/walks/a.spec.ts > opens';
  const report = (values: Partial<Ended> = {}): Ended => ({
    passed: 5,
    failed: 0,
    errors: 0,
    suites: [{ name: 'walks', count: 5, seconds: 2, work: 3 }],
    files: [{ path: 'tests/walks/a.spec.ts', seconds: 3 }],
    secondTries: [],
    code: 0,
    ...values,
  });
  const tries = (count: number) => Array.from({ length: count }, () => ({ test: TEST, error: 'too late' }));
  const closing = (tests: Ended | undefined, known: string[] = [], failed: string[] = []) => {
    const { lines, isSound } = closingLines({ checks: { seconds: 1, failed }, tests, known });
    return { last: lines.at(-1), isSound };
  };

  test('end with how many passed and failed', () => {
    expect(closing(report())).toEqual({ last: '5 passed, 0 failed', isSound: true });
    expect(closing(report({ failed: 2, code: 1 }))).toEqual({ last: '5 passed, 2 failed', isSound: false });
  });

  test('count a failed check, a fault outside of tests, and a run without an end', () => {
    expect(closing(report(), [], ['lint'])).toEqual({ last: '5 passed, 1 failed', isSound: false });
    expect(closing(report({ errors: 1, code: 1 }))).toEqual({ last: '5 passed, 1 failed', isSound: false });
    expect(closing(undefined)).toEqual({ last: '0 passed, 1 failed', isSound: false });
  });

  test('name three second tries with their errors, and refuse a fourth or a repeated one', () => {
    const { lines, isSound } = closingLines({ tests: report({ secondTries: tries(3) }), known: [] });
    expect(lines).toContain(`  ${TEST}: too late`);
    expect(isSound).toBe(true);
    expect(closing(report({ secondTries: tries(4) }))).toEqual({
      last: '1 passed, 4 failed',
      isSound: false,
    });
    expect(closing(report({ secondTries: tries(1) }), [TEST])).toEqual({
      last: '4 passed, 1 failed',
      isSound: false,
    });
  });
});
