import { describe, expect, test } from 'vitest';
import { periodsOfYear } from '#shared/check-periods.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import type { MissingSites, YearGridData } from '#shared/features/checks/procedure-answers.ts';
import type { LogFilter } from '#shared/features/checks/queries.ts';
import type { CheckVisit } from '#shared/features/checks/rows.ts';
import { logRecords } from '#web/features/checks/log-book/checks-log.live.ts';
import {
  foldLogYear,
  foldMissing,
  foldYearGrid,
  type RecordsPage,
} from '#web/features/checks/log-book/fold-log.ts';
import { formatDuration } from '#web/features/checks/log-book/format-duration.ts';
import {
  cellsOf,
  describeYear,
  monthLabels,
  passRate,
} from '#web/features/checks/log-book/grid/grid-labels.ts';
import { nextGridPosition } from '#web/features/checks/log-book/grid/next-grid-position.ts';
import { subjectRows } from '#web/features/checks/log-book/grid/subject-rows.ts';
import { matchesWeek, resultOf, weekRows } from '#web/features/checks/log-book/grid/week-rows.ts';
import { logUrlOf, yearsOffered } from '#web/features/checks/log-book/log-url.ts';
import { initialsOf } from '#web/features/checks/log-book/records/initials-of.ts';
import { entriesOf } from '#web/features/checks/log-book/records/log-entry.ts';
import { logNumberText } from '#web/features/checks/log-book/records/log-number.ts';
import { amendmentOf, draftOf } from '#web/features/checks/log-book/thread/amendment.ts';
import { stepsOf } from '#web/features/checks/log-book/thread/thread-steps.tsx';
import { limitSteps, scaleOf } from '#web/features/checks/log-book/trend/trend-scale.ts';
import type { LiveChange } from '#web/live/types.ts';

const SITE = '018f0000-0000-7000-8000-000000000001';
const TODAY = '2026-11-21';

type Line = {
  place?: string;
  result?: 'pass' | 'fail' | 'not_tested';
  supersededBy?: string;
  amends?: string;
};

let made = 0;
function visit(day: string, lines: Line[] = [{}], over: Partial<CheckVisit> = {}): CheckVisit {
  made += 1;
  const id = `018f0000-0000-7000-8000-${String(made).padStart(12, '0')}`;
  return {
    id,
    buildingId: SITE,
    buildingName: 'Harbour House',
    kind: 'fire_alarm_test',
    visitDate: day,
    operativeName: 'Aisha Khan',
    recordedBy: SITE,
    recordedByName: 'Aisha Khan',
    recordedByNow: null,
    performedAt: `${day}T10:00:00.000Z`,
    receivedAt: `${day}T10:01:00.000Z`,
    clockOffsetMs: 0,
    clockWrong: false,
    late: false,
    durationSeconds: null,
    filledAtOnce: null,
    openSeconds: null,
    supplyRestored: null,
    logNumber: made,
    letInByName: null,
    letInByNow: null,
    imported: null,
    result: lines.some(({ result }) => result === 'fail') ? 'fail' : 'pass',
    entries: lines.map(({ place = 'Front Door', result = 'pass', supersededBy, amends }, index) => ({
      id: `${id.slice(0, -3)}${index}${String(made).padStart(2, '0')}`,
      assetId: null,
      subjectKey: place.toLowerCase(),
      subjectName: place,
      subjectPlace: null,
      result,
      values: {},
      notes: null,
      photoIds: [],
      assetRetired: false,
      issueId: null,
      issueReference: null,
      retestOf: null,
      amends: amends ?? null,
      amendReason: null,
      supplyAmended: null,
      amendedByName: null,
      amendedByNow: null,
      amendedAt: null,
      supersededBy: supersededBy ?? null,
    })),
    version: 1,
    ...over,
  };
}
const put = (row: CheckVisit) =>
  ({
    g: 1,
    outboxId: '',
    at: '',
    actor: null,
    command: 'checks.record',
    entity: 'checkVisit',
    entityId: row.id,
    op: 'put',
    version: row.version,
    operationId: null,
    row,
    changes: null,
  }) as const;
const results = (...visits: CheckVisit[]) => resultOf(visits.flatMap(entriesOf)).result;

describe('the result of a week', () => {
  test('is a failure only while the same point has not passed after it', () => {
    expect(results()).toBe('not_tested');
    expect(results(visit('2025-01-03'))).toBe('pass');
    const failed = visit('2025-01-04', [{ place: 'Basement', result: 'fail' }]);
    expect(results(visit('2025-01-03', [{ place: 'Basement' }]), failed)).toBe('fail');
    expect(results(failed, visit('2025-01-05', [{ place: 'Front Door' }]))).toBe('fail');
    expect(results(failed, visit('2025-01-05', [{ place: 'BASEMENT' }]))).toBe('pass');
  });

  test('leaves out what a correction has taken the place of', () => {
    const lines: Line[] = [{ result: 'fail', supersededBy: SITE }, { amends: SITE }];
    expect(results(visit('2025-01-03', lines))).toBe('pass');
  });
});

describe('the rows of a year', () => {
  const rows = (visits: CheckVisit[], year = 2025, alarms: CheckVisit[] = []) =>
    weekRows(
      periodsOfYear('weekly', year),
      { entries: visits.flatMap(entriesOf), incidents: alarms.flatMap(entriesOf) },
      [],
      { today: TODAY, startsOn: '2025-01-03', steps: [] },
    );

  test('are its weeks from the first Friday, whether something was recorded or not', () => {
    const year = rows([visit('2025-01-09')]);
    expect(year.map(({ start }) => start)).toHaveLength(52);
    expect(year[0]).toMatchObject({ start: '2025-01-03', end: '2025-01-09', result: 'pass', cell: 'pass' });
    expect(year[1]).toMatchObject({ start: '2025-01-10', result: 'not_tested', cell: 'not_tested' });
    expect(rows([], 2027)).toHaveLength(53);
  });

  test('hold a false alarm that is no test of its week', () => {
    const alarm = visit('2025-01-09', [{ result: 'not_tested' }], { kind: 'false_alarm' });
    expect(rows([], 2025, [alarm])[0]).toMatchObject({
      cell: 'not_tested',
      deciding: undefined,
      entries: [],
      incidents: [{ visitId: alarm.id, outcome: 'False alarm' }],
    });
  });

  test('the present week can still be done; those to come are upcoming', () => {
    const year = rows([], 2026);
    expect(year.find(({ when }) => when === 'current')).toMatchObject({ start: '2026-11-20', cell: 'ahead' });
    expect(year.filter(({ when }) => when === 'ahead')).toHaveLength(5);
  });

  test('are narrowed by result and by a part of the name', () => {
    const [first] = rows([visit('2025-01-03')]);
    if (first === undefined) throw new Error('no first week');
    expect(matchesWeek(first, { result: null, operative: ' khan' })).toBe(true);
    expect(matchesWeek(first, { result: null, operative: 'Baker' })).toBe(false);
    expect(matchesWeek(first, { result: 'fail', operative: '' })).toBe(false);
    // A failure that was followed by a pass in the same week is found by both results.
    const [mended] = rows([
      visit('2025-01-03', [{ place: 'Basement', result: 'fail' }]),
      visit('2025-01-04', [{ place: 'Basement' }]),
    ]);
    expect(mended?.result).toBe('pass');
    for (const result of ['pass', 'fail'] as const) {
      expect(mended && matchesWeek(mended, { result, operative: '' })).toBe(true);
    }
  });
});

test('a thing has a row while it is in use, and as long as it has records', () => {
  const known = [{ subjectKey: 'front door', assetId: null, name: 'Front Door', place: null }];
  const entries = visit('2025-03-03', [{ place: 'Old Door', result: 'fail' }]);
  const span = { today: TODAY, startsOn: '2025-01-01', steps: [] };
  const all = entriesOf(entries);
  const rows = subjectRows(
    known,
    periodsOfYear('monthly', 2025),
    { entries: all, wanted: all },
    span,
    () => null,
  );
  expect(rows.map(({ name, retired }) => [name, retired])).toEqual([
    ['Front Door', false],
    ['Old Door', true],
  ]);
  expect(rows[1]?.cells[2]).toMatchObject({ state: 'fail' });
  expect(rows[0]?.cells[2]).toMatchObject({ state: 'not_tested', entryId: null });
});

test('a week that asks for two days is no pass after the first, whichever operative the page is filtered by', () => {
  const known = [{ subjectKey: 'tap', assetId: null, name: 'Tap', place: null }];
  const steps = [{ from: '2026-01-02', isDue: true, times: 2, dueSince: null }];
  const span = { today: '2026-01-22', startsOn: '2026-01-01', steps };
  const weeks = periodsOfYear('weekly', 2026).slice(0, 3);
  const on = (day: string, over: Partial<CheckVisit> = {}) => entriesOf(visit(day, [{ place: 'Tap' }], over));
  const entries = [
    ...on('2026-01-05'),
    ...on('2026-01-05'),
    ...on('2026-01-09'),
    ...on('2026-01-12', { operativeName: 'Tom Baker' }),
    ...on('2026-01-20'),
  ];
  const statesOf = (wanted: typeof entries) =>
    subjectRows(known, weeks, { entries, wanted }, span, () => null)[0]?.cells.map(({ state }) => state);
  expect(statesOf(entries)).toEqual(['partial', 'pass', 'begun']);
  const ofOne = entries.filter(({ operativeName }) => operativeName === 'Aisha Khan');
  expect(statesOf(ofOne)).toEqual(['partial', 'pass', 'begun']);

  const cells = cellsOf('qpq', weeks, span);
  expect(cells).toEqual(['partial', 'pass', 'begun']);
  // A period that is still running does not count against the site.
  expect(passRate(cells)).toBe(50);
  expect(describeYear(cells)).toBe('1 pass, 1 partly done, so far, 1 partly done; 50% passed');
  expect(cellsOf('g', weeks.slice(0, 1), span)).toEqual(['fail']);
});

test('squares come from letters; before the first check nothing was missed', () => {
  const periods = periodsOfYear('monthly', 2026);
  const cells = cellsOf('-p-fe-------', periods, {
    startsOn: '2026-02-10',
    steps: [],
    today: TODAY,
  });
  expect(cells.slice(0, 6)).toEqual(['off', 'pass', 'not_tested', 'fail', 'explained', 'not_tested']);
  expect(cells[10]).toBe('ahead');
  expect(passRate(cells)).toBe(11);
  expect(passRate(['ahead', 'off'])).toBeNull();
  expect(describeYear(['pass', 'fail', 'ahead'])).toBe('1 pass, 1 fail, 1 upcoming; 50% passed');
  expect(monthLabels(periodsOfYear('weekly', 2026).map(({ start }) => start))[1]).toEqual({
    label: 'Feb',
    column: 6,
  });
});

describe('what an event means', () => {
  const input = { kind: 'fire_alarm_test', year: 2026, buildingId: SITE } as const;
  const empty = {
    buildingId: SITE,
    buildingName: 'Harbour House',
    kind: 'fire_alarm_test' as const,
    year: 2026,
    today: TODAY,
    startsOn: '2026-01-02',
    healthcare: false,
    steps: [],
    visits: [],
    incidents: [],
    missed: [],
    subjects: [],
  };

  test('for a site’s year: its visits of that year, once, in order; 1 January belongs to the year before', () => {
    const second = visit('2026-02-06');
    const first = visit('2026-01-09');
    const one = foldLogYear(empty, put(second), input);
    if (one === 'refetch') throw new Error('asked again');
    const both = foldLogYear(one, put(first), input);
    if (both === 'refetch') throw new Error('asked again');
    expect(both.visits).toEqual([first, second]);
    expect(foldLogYear(both, put(second), input)).toBe(both);
    expect(foldLogYear(both, put(visit('2026-01-01')), input)).toBe(both);
    expect(foldLogYear(both, put(visit('2026-02-06', [{}], { buildingId: 'x' })), input)).toBe(both);
    const alarm = visit('2026-02-06', [{ result: 'not_tested' }], { kind: 'false_alarm' });
    expect(foldLogYear(both, put(alarm), input)).toMatchObject({
      visits: [first, second],
      incidents: [alarm],
    });
    const amended = { ...second, version: 2, operativeName: 'Tom Baker' };
    expect(foldLogYear(both, put(amended), input)).toMatchObject({ visits: [first, amended] });
  });

  test('for a page of records: what lies beyond it stays with its page', () => {
    const foldRecords = (list: RecordsPage, event: LiveChange<'checkVisit'>, filter: LogFilter) =>
      logRecords.apply(list, event, { input: filter, now: 0 });
    const page = { rows: [visit('2026-05-01')], nextCursor: { visitDate: '2026-05-01', id: SITE } };
    expect(foldRecords(page, put(visit('2026-01-09')), { kind: 'fire_alarm_test' })).toMatchObject(page);
    const newer = visit('2026-06-05');
    expect(foldRecords(page, put(newer), { kind: 'fire_alarm_test' })).toMatchObject({
      rows: [newer, page.rows[0]],
    });
    expect(foldRecords(page, put(newer), { kind: 'outlet_flushing' })).toBe(page);
    const alarms = { kind: 'fire_alarm_test', entryKind: 'false_alarm' } as const;
    expect(foldRecords(page, put(newer), alarms)).toBe(page);
    const alarm = visit('2026-06-06', [{}], { kind: 'false_alarm' });
    expect(foldRecords(page, put(alarm), alarms)).toMatchObject({ rows: [alarm, page.rows[0]] });
    expect(foldRecords(page, put(newer), { kind: 'fire_alarm_test', result: 'fail' })).toBe('refetch');
  });

  test('for the squares: only what a letter cannot tell is asked for', () => {
    const cells = 'f-'.padEnd(52, '-');
    const grid: YearGridData = {
      kind: 'fire_alarm_test',
      year: 2026,
      today: TODAY,
      sites: [{ buildingId: SITE, name: 'Harbour House', startsOn: '2026-01-02', cells, steps: [] }],
    };
    const fold = (row: CheckVisit) => foldYearGrid(grid, put(row), { kind: 'fire_alarm_test', year: 2026 });
    const letters = (answer: ReturnType<typeof fold>) =>
      answer === 'refetch' ? answer : answer.sites[0]?.cells.slice(0, 3);
    expect(letters(fold(visit('2026-01-09')))).toBe('fp-');
    expect(letters(fold(visit('2026-01-16', [{ result: 'fail' }])))).toBe('f-f');
    expect(fold(visit('2026-01-03'))).toBe('refetch');
    expect(fold(visit('2026-01-09', [{}], { version: 2 }))).toBe('refetch');
    expect(fold(visit('2025-01-09'))).toBe(grid);
    expect(fold(visit('2026-01-09', [{}], { buildingId: 'elsewhere' }))).toBe('refetch');
    // The letter of a cell does not show whether this visit was the second of two days.
    const steps = [{ from: '2026-01-09', isDue: true, times: 2, dueSince: null }];
    const twice = { ...grid, sites: grid.sites.map((site) => ({ ...site, steps })) };
    const input = { kind: 'fire_alarm_test', year: 2026 } as const;
    expect(foldYearGrid(twice, put(visit('2026-01-09')), input)).toBe('refetch');
    expect(foldYearGrid(twice, put(visit('2026-01-16')), input)).toBe('refetch');
    // The letter does not show whether every outlet was flushed either; if all were, another pass changes nothing.
    const flushing = { kind: 'outlet_flushing', year: 2026 } as const;
    const flushed = { ...grid, ...flushing, sites: grid.sites.map((site) => ({ ...site, cells: 'p-' })) };
    const flush = (day: string) => put(visit(day, [{}], { kind: 'outlet_flushing' }));
    expect(foldYearGrid(flushed, flush('2026-01-09'), flushing)).toBe('refetch');
    expect(foldYearGrid(flushed, flush('2026-01-02'), flushing)).toBe(flushed);
  });
});

test('for the sites that are missing: what happens in the period, and nothing else, is asked for', () => {
  const missing: MissingSites = {
    total: 1,
    sites: [{ buildingId: SITE, name: 'Harbour House', done: null, of: null }],
  };
  const fold = (row: CheckVisit) =>
    foldMissing(missing, put(row), { kind: 'fire_alarm_test', day: '2026-11-20' });
  expect(fold(visit('2026-11-20'))).toBe('refetch');
  expect(fold(visit('2026-11-26', [{}], { buildingId: 'elsewhere' }))).toBe('refetch');
  expect(fold(visit('2026-11-19'))).toBe(missing);
  expect(fold(visit('2026-11-20', [{}], { kind: 'outlet_flushing' }))).toBe(missing);
});

test('keys lead through a grid, and stop at its edges', () => {
  const size = { rows: 30, columns: 53 };
  const from = { row: 12, column: 5 };
  const to = (key: string, ctrlKey = false) => nextGridPosition(from, { key, ctrlKey }, size);
  expect(to('ArrowUp')).toEqual({ row: 11, column: 5 });
  expect(to('ArrowRight')).toEqual({ row: 12, column: 6 });
  expect(to('Home')).toEqual({ row: 12, column: 0 });
  expect(to('End')).toEqual({ row: 12, column: 52 });
  expect(to('Home', true)).toEqual({ row: 0, column: 0 });
  expect(to('End', true)).toEqual({ row: 29, column: 52 });
  expect(to('PageUp')).toEqual({ row: 2, column: 5 });
  expect(to('PageDown')).toEqual({ row: 22, column: 5 });
  expect(to('Tab')).toBeUndefined();
  expect(nextGridPosition({ row: 0, column: 52 }, { key: 'ArrowRight', ctrlKey: false }, size)).toEqual({
    row: 0,
    column: 52,
  });
  expect(nextGridPosition({ row: 0, column: 0 }, { key: 'ArrowUp', ctrlKey: false }, size)).toEqual({
    row: 0,
    column: 0,
  });
});

test('an address says everything and leaves out what is usual', () => {
  const water = logUrlOf('water_temperature_check', TODAY);
  const state = water.read(
    new URLSearchParams(`building=${SITE}&year=2025&month=13&result=late&operative=x&entries=false_alarm`),
  );
  expect(state).toMatchObject({ building: SITE, year: 2025, month: null, result: null, operative: 'x' });
  // That log has no false alarms.
  expect(state.entryKind).toBeNull();
  const fire = logUrlOf('fire_alarm_test', TODAY);
  const alarms = fire.read(new URLSearchParams('entries=false_alarm'));
  expect(alarms.entryKind).toBe('false_alarm');
  expect(fire.write(alarms).toString()).toBe('entries=false_alarm');
  expect(water.write(state).toString()).toBe(`building=${SITE}&year=2025&operative=x`);
  expect(water.write({ ...state, year: 2026, building: null, operative: '' }).toString()).toBe('');
  expect(yearsOffered({ year: 2032 }, TODAY)).toEqual([2032, 2026, 2025]);
});

test('a limit that changed is drawn as it was; the scale holds every reading', () => {
  const point = (day: string, value: number, min: number) => ({
    entryId: day,
    day,
    value,
    satisfactory: value >= min,
    min,
    max: null,
  });
  const points = [point('2026-01-10', 52, 50), point('2026-02-10', 71, 50), point('2026-03-10', 54, 55)];
  expect(limitSteps(points, 'min')).toEqual([
    { value: 50, from: '2026-01-10', to: '2026-03-10' },
    { value: 55, from: '2026-03-10', to: '2026-03-10' },
  ]);
  expect(limitSteps(points, 'max')).toEqual([]);
  const scale = scaleOf(points, { from: '2026-01-01', to: '2026-12-31' }, { width: 100, height: 100 });
  expect(scale.top).toBe(80);
  expect(scale.y(0)).toBe(100);
});

test('names, numbers and durations in few letters', () => {
  expect(['Aisha Khan', 'Jean-Luc van der Berg', 'tom', '  ', 'Åsa Öberg (relief)'].map(initialsOf)).toEqual([
    'AK',
    'JB',
    'T',
    '',
    'År'.toUpperCase(),
  ]);
  expect([7, 1204, 1_234_567].map(logNumberText)).toEqual(['#7', '#1\u2009204', '#1\u2009234\u2009567']);
  expect([0, 11_400_000, 187_200_000].map(formatDuration)).toEqual(['0m', '3h 10m', '2d 4h']);
});

test('a correction begins as the record is, and is checked by the schema of its kind', () => {
  const [entry] = entriesOf(visit('2026-01-12', [{}], { kind: 'water_temperature_check' }));
  if (entry === undefined) throw new Error('a visit without lines');
  const record = { ...entry, assetId: SITE, values: { temperatureCelsius: 31.5, blendedCelsius: null } };
  const draft = draftOf(record);
  expect(draft).toEqual({ temperatureCelsius: '31.5', blendedCelsius: '', notes: '' });
  const wrong = amendmentOf(record, { ...draft, temperatureCelsius: 'abc' }, ' ', SITE);
  expect(Object.keys(wrong.errors)).toEqual(['reason', 'entry.temperatureCelsius']);
  const right = amendmentOf(record, { ...draft, temperatureCelsius: '51,5' }, 'Misread', SITE);
  expect(right.errors).toEqual({});
  expect(right.input).toMatchObject({
    kind: 'water_temperature_check',
    reason: 'Misread',
    entry: { id: SITE, outletId: SITE, temperatureCelsius: 51.5, blendedCelsius: null, notes: null },
  });
});

test('a call point that is called otherwise in a correction is not the asset that it was', () => {
  const [entry] = entriesOf(visit('2026-01-09'));
  if (entry === undefined) throw new Error('a visit without lines');
  const record = { ...entry, assetId: SITE, values: { locationTested: 'Front Door', passed: true } };
  const same = amendmentOf(record, { ...draftOf(record), passed: 'no' }, 'Silent', SITE);
  expect(same.input?.entry).toMatchObject({ assetId: SITE, locationTested: 'Front Door', passed: false });
  const other = amendmentOf(record, { ...draftOf(record), locationTested: 'Back Door' }, 'Wrong door', SITE);
  expect(other.input?.entry).toMatchObject({ assetId: null, locationTested: 'Back Door' });
});

test('a pass that was in the log before the failure it repeats had arrived says so, and no other', () => {
  const story = (failureCame: string) => {
    const [failed, passed] = [
      visit('2026-11-09', [{ result: 'fail' }], { receivedAt: failureCame }),
      visit('2026-11-10'),
    ];
    const line = passed.entries.map((entry) => ({ ...entry, retestOf: failed.entries[0]?.id ?? null }));
    const thread = {
      visit: failed,
      entryId: failed.entries[0]?.id ?? '',
      story: [
        ...failed.entries.map((entry) => ({ visit: failed, entry })),
        ...line.map((entry) => ({ visit: passed, entry })),
      ],
      issue: null,
      retestPassed: true,
    };
    return JSON.stringify(stepsOf(thread, () => '').map(({ children }) => children));
  };
  expect(story('2026-11-09T10:01:00.000Z')).not.toContain(logMessages.retestFirst);
  expect(story('2026-11-12T10:01:00.000Z')).toContain(logMessages.retestFirst);
});
