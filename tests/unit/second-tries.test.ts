import { describe, expect, test } from 'vitest';
import { secondTriesReport, TIME_OUT } from '#tests/support/second-tries.ts';

const LATE = 'locator.waitFor: Timeout 30000ms exceeded.\nCall log:\n  - waiting for getByText';
const WRONG = 'expected 1 to be 2 // Object.is equality';

describe('a second try', () => {
  test.each([
    LATE,
    'page.goto: Timeout 30000ms exceeded.',
    'page.waitForEvent: Timeout 200ms exceeded while waiting for event "download"',
    'Test timed out in 120000ms.\nIf this is a long-running test, pass a timeout value',
    'Hook timed out in 240000ms.',
  ])('is for a time-out: %s', (message) => {
    expect(message).toMatch(TIME_OUT);
  });

  test.each([
    WRONG,
    'Matcher did not succeed in time.',
    'expected "Timeout 30000ms exceeded." to be ""',
    'page.goto: net::ERR_CONNECTION_REFUSED at http://127.0.0.1/',
    'locator.click: Target page, context or browser has been closed',
  ])('is not for anything else: %s', (message) => {
    expect(message).not.toMatch(TIME_OUT);
  });

  test('is named at the end, with the first line of what went wrong', () => {
    expect(secondTriesReport([{ test: 'a.spec.ts > opens', errors: [LATE] }])).toEqual({
      isSound: true,
      lines: [
        'Passed at the second try, after a time-out (1):',
        '  a.spec.ts > opens: locator.waitFor: Timeout 30000ms exceeded.',
      ],
    });
  });

  test('does not save a run in which an expectation failed before the time-out', () => {
    const report = secondTriesReport([
      { test: 'a', errors: [LATE] },
      { test: 'b', errors: [WRONG, LATE] },
    ]);
    expect(report.isSound).toBe(false);
    expect(report.lines.at(-1)).toBe(`  b: ${WRONG}; locator.waitFor: Timeout 30000ms exceeded.`);
  });

  test('of nothing says nothing', () => {
    expect(secondTriesReport([])).toEqual({ isSound: true, lines: [] });
  });
});
