import { describe, expect, test } from 'vitest';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { LOG_KINDS, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { checks } from '#shared/features/checks/index.ts';
import { emergencyLightingMessages } from '#shared/features/checks/kinds/emergency-lighting.vocabulary.ts';
import { CHECK_KINDS } from '#shared/features/checks/kinds.vocabulary.ts';
import type { RegisterBuilding, RegisterSubject } from '#shared/features/checks/procedure-answers.ts';
import { AT_ONCE, TEST_LOCATION_KEY } from '#web/features/checks/form-fields.ts';
import {
  begunOn,
  type CheckDraft,
  EMPTY_DRAFT,
  isOldDraft,
  isTouched,
  openMsOf,
  restoreDraft,
  withAllFilled,
  withEntry,
  withOpenTime,
  withoutFilled,
  withVisit,
} from '#web/features/checks/kinds/check-draft.ts';
import { formSpecOf } from '#web/features/checks/kinds/form-specs.ts';
import { missingRows, rowsOf } from '#web/features/checks/kinds/rows/rows-of.ts';
import { repeatedOn, testPointsOf } from '#web/features/checks/kinds/test-points.ts';
import {
  hasErrors,
  NO_ERRORS,
  type VisitInput,
  validateVisit,
} from '#web/features/checks/kinds/validate-visit.ts';
import { draftOfVisit } from '#web/features/checks/recording/draft-of-visit.ts';
import { VisibleTime } from '#web/features/checks/recording/visible-time.ts';
import { stepped, typedNumber } from '#web/features/checks/typed-number.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const SITE = '11111111-0000-7000-8000-000000000001';
const ROW = '22222222-0000-7000-8000-000000000001';
const OTHER = '22222222-0000-7000-8000-000000000002';

describe('what is typed', () => {
  test.each([
    ['20', 20],
    [' 20,5 ', 20.5],
    ['.5', 0.5],
    ['', undefined],
    ['1e3', Number.NaN],
    ['0x1f', Number.NaN],
    ['abc', Number.NaN],
  ])('%j is %j', (text, value) => {
    expect(typedNumber(text)).toEqual(value);
  });

  test('is stepped by tenths without the tails of binary fractions, within its bounds', () => {
    const bounds = { min: 0, max: 100, digits: 1 };
    expect(stepped('44.9', 0.1, bounds)).toBe('45.0');
    expect(stepped('0.2', 0.1, bounds)).toBe('0.3');
    expect(stepped('100', 0.1, bounds)).toBe('100.0');
    expect(stepped('', 0.1, bounds)).toBeUndefined();
    expect(stepped('abc', 0.1, bounds)).toBeUndefined();
  });
});

describe('a draft', () => {
  test('has its ids from the first touch on, and is untouched again when all is taken back', () => {
    const first = withEntry(EMPTY_DRAFT, ROW, { passed: 'pass' }, NOW);
    const second = withEntry(first, ROW, { notes: 'Dusty' }, new Date(NOW.getTime() + 60_000));
    expect(isTouched(second)).toBe(true);
    expect(second.operationId).toBe(first.operationId);
    expect(second.entries[ROW]?.['id']).toBe(first.entries[ROW]?.['id']);
    expect(second.startedAt).toBe(NOW.toISOString());
    const back = withEntry(second, ROW, { passed: undefined, notes: '' }, NOW);
    expect(back.entries).toEqual({});
    expect(isTouched(back)).toBe(false);
    expect(isTouched(withVisit(EMPTY_DRAFT, { testType: 'annual_duration' }, NOW))).toBe(true);
  });

  test('is made of the input of a record again, and nothing of that is lost on the way', () => {
    const now = NOW;
    const at = {
      siteId: SITE,
      visitDate: '2026-11-20',
      today: '2026-11-20',
      operativeName: 'Aisha Khan',
      now,
    };
    const rows = [ROW, OTHER].map((id) => ({ id, name: 'Row', place: '' }));
    const kept = (kind: LogKind, draft: CheckDraft) => {
      const result = validateVisit({ ...at, kind, formSpec: formSpecOf(kind), rows, draft });
      return result.ok ? result.visit : result.errors;
    };
    const said: Record<LogKind, Record<string, string>[]> = {
      fire_alarm_test: [{ locationTested: 'Front Door', passed: 'fail', notes: 'No sound' }],
      emergency_lighting_test: [
        { passed: 'fail', minutes: '12' },
        { passed: 'not_tested', notes: 'Out of reach' },
      ],
      water_temperature_check: [{ temperatureCelsius: '14.2', notes: 'Slow' }, { temperatureCelsius: '54' }],
      outlet_flushing: [
        { isFlushed: 'pass', minutes: '2.5' },
        { isFlushed: 'fail', notes: 'Locked' },
      ],
      call_point_visual_check: [{ passed: 'pass' }, { passed: 'fail' }],
      false_alarm: [
        { happenedAt: '07:40', source: 'other', setOffBy: 'Toaster', cause: 'Toast', actionTaken: 'Reset' },
      ],
    };
    for (const kind of LOG_KINDS) {
      const keys = checks[kind].subject.of === 'place' ? [TEST_LOCATION_KEY] : [ROW, OTHER];
      let draft = keys.reduce((made, key, n) => withEntry(made, key, said[kind][n] ?? {}, NOW), EMPTY_DRAFT);
      draft = withVisit(draft, { supplyRestored: true, testType: 'annual_duration' }, NOW);
      draft = withOpenTime(draft, EMPTY_DRAFT, 100_000);
      // One press marked all outlets as passed before the first outlet was changed.
      if (kind === 'outlet_flushing') draft = withEntry(draft, ROW, { [AT_ONCE]: true }, NOW);
      const visit = kept(kind, draft);
      const { visitId, performedAt, durationSeconds, operativeName } = visit as VisitInput;
      const back = draftOfVisit(visit);
      expect(back, kind).toMatchObject({ kind, buildingId: SITE });
      const first = { performedAt, durationSeconds, operativeName };
      expect(kept(kind, { ...(back?.draft ?? EMPTY_DRAFT), visitId, first }), kind).toEqual(visit);
      // The form would lose fields that it does not have.
      expect(draftOfVisit({ ...visit, weather: 'rain' }), kind).toBeUndefined();
      const [line] = (visit as VisitInput).entries;
      expect(draftOfVisit({ ...visit, entries: [{ ...line, humidity: 3 }] }), kind).toBeUndefined();
    }
    expect(draftOfVisit(null)).toBeUndefined();
  });

  test('knows which rows one press has filled, until their outcome is given by hand or taken back', () => {
    const rows = [ROW, OTHER].map((id) => ({ id, name: 'Row', place: '' }));
    const [, other] = rows;
    const kind = 'outlet_flushing';
    const handIn = (draft: CheckDraft) => {
      const at = { siteId: SITE, visitDate: '2026-11-20', today: '2026-11-20', operativeName: 'A', now: NOW };
      const result = validateVisit({ ...at, kind, formSpec: formSpecOf(kind), rows, draft });
      return result.ok ? result.visit : undefined;
    };
    const byHand = withEntry(EMPTY_DRAFT, ROW, { isFlushed: 'fail', notes: 'Locked' }, NOW, rows[0]);
    const filled = withAllFilled(byHand, other === undefined ? [] : [other], { isFlushed: 'pass' }, NOW);
    expect(handIn(filled)).toMatchObject({
      filledAtOnce: 1,
      entries: [{ isFlushed: false }, { isFlushed: true }],
    });
    const again = withEntry(filled, OTHER, { isFlushed: 'pass', [AT_ONCE]: undefined }, NOW, other);
    expect(handIn(again)).toMatchObject({ filledAtOnce: 0 });
    const undone = withoutFilled(filled, 'isFlushed', NOW);
    expect(undone.entries).toEqual(byHand.entries);
    expect(handIn(undone)).toMatchObject({ filledAtOnce: 0 });
    // A row to which something was added keeps the addition.
    const timed = withEntry(filled, OTHER, { minutes: '3' }, NOW, other);
    expect(withoutFilled(timed, 'isFlushed', NOW).entries[OTHER]).toMatchObject({ minutes: '3' });
  });

  test('counts how long it was in sight, by the clock of the page, and admits where it does not know', () => {
    let now = 0;
    const seen = new VisibleTime(() => now);
    seen.look(true);
    now += 40_000;
    seen.look(false);
    now += 3_600_000;
    seen.look(true);
    now += 20_000;
    expect(seen.ms).toBe(60_000);
    expect(seen.take()).toBe(60_000);
    expect(seen.take()).toBe(0);

    const touch = (draft: CheckDraft) => withEntry(draft, ROW, { passed: 'pass' }, NOW);
    const first = withOpenTime(touch(EMPTY_DRAFT), EMPTY_DRAFT, 40_000);
    const second = withOpenTime(touch(first), first, 20_000);
    expect(openMsOf(second)).toBe(60_000);
    // The draft was begun by an app that did not count time: since a part of the time is unknown, so is the whole.
    const old = touch(EMPTY_DRAFT);
    expect(openMsOf(withOpenTime(touch(old), old, 20_000))).toBeUndefined();
    expect(openMsOf(restoreDraft(second, first))).toBe(100_000);
    expect(openMsOf(restoreDraft(old, first))).toBeUndefined();
  });

  test('that is complete becomes the input of a record; an untouched one never does', () => {
    for (const kind of CHECK_KINDS) {
      const formSpec = formSpecOf(kind);
      const form = {
        kind,
        formSpec,
        siteId: SITE,
        visitDate: '2026-11-20',
        today: '2026-11-20',
        operativeName: 'Aisha Khan',
        rows: [{ id: ROW, name: 'Row', place: '' }],
        now: NOW,
      };
      const untouched = validateVisit({ ...form, draft: EMPTY_DRAFT });
      expect(untouched.ok, kind).toBe(false);

      const filled = {
        [formSpec.outcome.field || 'temperatureCelsius']: formSpec.outcome.field ? 'pass' : '14.2',
      };
      const entry = withEntry(EMPTY_DRAFT, ROW, filled, NOW);
      const place = withEntry(entry, 'place', { ...filled, locationTested: 'Front Door' }, NOW);
      const draft = withVisit(place, { supplyRestored: true }, NOW);
      const result = validateVisit({ ...form, draft });
      expect(result, kind).toMatchObject({ ok: true, visit: { kind, buildingId: SITE } });
      if (kind !== 'emergency_lighting_test') continue;
      expect(result).toMatchObject({ visit: { supplyRestored: true } });
      expect(validateVisit({ ...form, draft: place })).toEqual({
        ok: false,
        errors: { rows: {}, visit: { supplyRestored: emergencyLightingMessages.supplyRequired } },
      });
    }
  });

  test('keeps what was entered for an asset that is retired meanwhile, as it was registered then', () => {
    const kind = 'water_temperature_check';
    const basin = { id: OTHER, name: 'Basin', place: 'Ground', limits: { min: 50, max: null } };
    const rows = [{ id: ROW, name: 'Kitchen tap', place: '' }];
    let draft = withEntry(EMPTY_DRAFT, ROW, { temperatureCelsius: '14' }, NOW, rows[0]);
    draft = withEntry(draft, OTHER, { temperatureCelsius: '55' }, NOW, basin);
    const gone = missingRows(rows, kind, draft);
    expect(gone).toEqual([{ ...basin, gone: true, place: 'No longer registered here · Ground' }]);
    const filled = {
      kind,
      formSpec: formSpecOf(kind),
      siteId: SITE,
      visitDate: '2026-11-20',
      today: '2026-11-20',
      operativeName: 'Aisha Khan',
      rows: [...rows, ...gone],
      draft,
      now: NOW,
    } as const;
    expect(validateVisit(filled)).toMatchObject({
      ok: true,
      visit: { entries: [{ outletId: ROW }, { outletId: OTHER, temperatureCelsius: 55 }] },
    });
    // A draft of an older version contains only the kind of a missing row; registered rows are in the form already.
    const { rows: _rows, ...older } = draft;
    expect(missingRows(rows, kind, older)).toMatchObject([{ id: OTHER, place: 'No longer registered here' }]);
    expect(missingRows([...rows, basin], kind, draft)).toEqual([]);
    // A cleared row stays visible, so that a value can be typed again; left empty, it is not handed in.
    const cleared = withEntry(draft, OTHER, { temperatureCelsius: '' }, NOW);
    expect(missingRows(rows, kind, cleared)).toEqual(gone);
    expect(validateVisit({ ...filled, draft: cleared })).toMatchObject({
      ok: true,
      visit: { entries: [{ outletId: ROW }] },
    });
    expect(
      missingRows(rows, kind, withEntry(cleared, OTHER, { temperatureCelsius: undefined }, NOW)),
    ).toEqual([]);
    const flushing = { ...filled, kind: 'outlet_flushing', formSpec: formSpecOf('outlet_flushing') } as const;
    let flushed = withEntry(EMPTY_DRAFT, ROW, { flushed: true, durationSeconds: '120' }, NOW, rows[0]);
    flushed = withEntry(flushed, OTHER, { flushed: true, durationSeconds: '120' }, NOW, basin);
    flushed = withEntry(flushed, OTHER, { flushed: undefined, durationSeconds: '' }, NOW);
    expect(validateVisit({ ...flushing, draft: flushed })).toEqual(
      validateVisit({ ...flushing, rows, draft: flushed }),
    );
  });

  test('of a day that has not come is refused at its date', () => {
    const kind = 'water_temperature_check';
    const result = validateVisit({
      kind,
      formSpec: formSpecOf(kind),
      siteId: SITE,
      visitDate: '2026-11-21',
      today: '2026-11-20',
      operativeName: ' ',
      rows: [],
      draft: withEntry(EMPTY_DRAFT, ROW, { temperatureCelsius: '14' }, NOW),
      now: NOW,
    });
    expect(result).toMatchObject({
      ok: false,
      errors: {
        visitDate: 'The date cannot be in the future.',
        operativeName: 'Please enter the operative name.',
      },
    });
    expect(hasErrors(NO_ERRORS)).toBe(false);
  });
});

describe('the day on which a draft was begun', () => {
  const HOUR = 3_600_000;
  const begunAt = (startedAt: string | null, offsetMs?: number) => ({
    ...EMPTY_DRAFT,
    startedAt,
    ...(offsetMs === undefined ? {} : { clock: { offsetMs, notBefore: '2026-11-23T09:00:00.000Z' } }),
  });

  test.each([
    ['2026-11-23T09:00:00.000Z', undefined, '2026-11-23', false],
    ['2026-11-22T09:00:00.000Z', undefined, '2026-11-22', true],
    ['2026-11-22T07:00:00.000Z', -26 * HOUR, '2026-11-23', false],
    ['2026-11-23T11:00:00.000Z', 26 * HOUR, '2026-11-22', true],
    [null, undefined, undefined, false],
  ])('%s by a clock that is off by %s ms is %s', (startedAt, offsetMs, day, isOld) => {
    const draft = begunAt(startedAt, offsetMs);
    expect(begunOn(draft)).toBe(day);
    expect(isOldDraft(draft, '2026-11-23')).toBe(isOld);
    expect(isOldDraft({ ...draft, confirmedOn: '2026-11-23' }, '2026-11-23')).toBe(false);
  });
});

describe('rows', () => {
  const rowsWith = (
    kind: 'water_temperature_check' | 'emergency_lighting_test',
    last: RegisterSubject['last'],
  ) =>
    rowsOf(
      {
        buildingId: SITE,
        name: 'Harbour House',
        clientName: 'Client',
        healthcare: false,
        checks: {
          [kind]: {
            subjects: [
              {
                assetId: ROW,
                subjectKey: ROW,
                name: 'Basin',
                description: '',
                floorName: 'Basement',
                roomName: null,
                type: 'water_outlet',
                outletKind: 'hot',
                mayBeHot: false,
                limits: null,
                last,
                testedOn: [],
              },
            ],
            schedule: {
              applies: true,
              lastDone: null,
              nextDue: '2026-11-26',
              isDue: true,
              isOverdue: false,
              times: 1,
            },
          },
        },
      },
      kind,
      new Set(),
    )[0]?.last;
  const found = { day: '2026-11-10', operativeName: 'A' };

  test('say what was found the last time', () => {
    const reading = (temperatureCelsius: number) => ({ values: { temperatureCelsius } });
    expect(rowsWith('water_temperature_check', { ...found, result: 'pass', ...reading(54.1) })).toBe(
      '54.1 °C · Tue 10 Nov 2026',
    );
    expect(rowsWith('water_temperature_check', { ...found, result: 'fail', ...reading(44) })).toBe(
      'Unsatisfactory, 44.0 °C · Tue 10 Nov 2026',
    );
    expect(rowsWith('emergency_lighting_test', { ...found, result: 'fail', values: {} })).toBe(
      'Fail · Tue 10 Nov 2026',
    );
    expect(rowsWith('emergency_lighting_test', null)).toBeUndefined();
  });
});

describe('test points', () => {
  const point = (name: string, day: string | null, result: 'pass' | 'fail' = 'pass'): RegisterSubject => ({
    assetId: null,
    subjectKey: name,
    name,
    description: '',
    floorName: null,
    roomName: null,
    type: 'call_point',
    outletKind: null,
    mayBeHot: false,
    limits: null,
    last: day === null ? null : { day, result, values: {}, operativeName: 'A' },
    testedOn: [],
  });
  const siteOf = (subjects: RegisterSubject[]): RegisterBuilding => ({
    buildingId: SITE,
    name: 'Harbour House',
    clientName: 'Client',
    healthcare: false,
    checks: {
      fire_alarm_test: {
        subjects,
        schedule: {
          applies: true,
          lastDone: null,
          nextDue: '2026-11-26',
          isDue: true,
          isOverdue: false,
          times: 1,
        },
      },
    },
  });

  test('come with the longest untested first, those never tested before all', () => {
    const site = siteOf([point('New', '2026-11-13'), point('Old', '2026-01-02'), point('Never', null)]);
    expect(testPointsOf(site, 'fire_alarm_test').map(({ name }) => name)).toEqual(['Never', 'Old', 'New']);
  });

  test('warn of the one tested last, unless it failed or is long ago', () => {
    const repeated = (subjects: RegisterSubject[], name: string) =>
      repeatedOn(testPointsOf(siteOf(subjects), 'fire_alarm_test'), name, 'fire_alarm_test', '2026-11-20');
    const other = point('Basement', '2026-01-02');
    expect(repeated([point('Door', '2026-11-13'), other], 'door ')).toBe('2026-11-13');
    expect(repeated([point('Door', '2026-11-13'), other], 'Basement')).toBeUndefined();
    expect(repeated([point('Door', '2026-11-13', 'fail'), other], 'Door')).toBeUndefined();
    expect(repeated([point('Door', '2026-10-02'), other], 'Door')).toBeUndefined();
    expect(repeated([point('Door', '2026-11-13')], 'Door')).toBeUndefined();
  });
});

test.each([
  [0, 3, '3 due by Thu 3 Dec'],
  [1, 3, '1 overdue, 2 due by Thu 3 Dec'],
  [2, 2, '2 overdue'],
])(
  'of sites with %d overdue of %d, an overdue one is not said to be due by a day ahead',
  (overdue, all, text) => {
    expect(formMessages.sitesDue(overdue, all, 'Thu 3 Dec')).toBe(text);
  },
);
