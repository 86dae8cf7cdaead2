import { describe, expect, test } from 'vitest';
import { definitionOf, type VisitReceipt } from '#shared/features/checks/index.ts';
import { CHECK_KINDS, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { CheckCard } from '#shared/features/checks/procedure-answers.ts';
import { lineOf } from '#tests/support/rows/checks.ts';
import {
  dueSitesOf,
  type KnownSite,
  type OwnRecord,
  progressOn,
  type Standing,
  standingWith,
} from '#web/features/checks/due/due-sites.ts';
import type { VisitInput } from '#web/features/checks/kinds/validate-visit.ts';
import { ownRecordOf, ownRecordsIn } from '#web/features/checks/recording/own-records.ts';
import { openingSite } from '#web/features/checks/recording/site/opening-site.ts';
import { siteOptions } from '#web/features/checks/recording/site/site-options.ts';
import type { QueuedCommand } from '#web/offline/types.ts';

// A Wednesday; its week began on Friday the 13th and ends on Thursday the 19th.
const TODAY = '2026-11-18';
const KIND = 'fire_alarm_test';

const standing = (nextDue: string, lastDone: string | null = null): Standing => ({
  nextDue,
  lastDone,
  times: 1,
  subjects: null,
});
const done = standing('2026-11-26', '2026-11-17');
const due = standing('2026-11-19', '2026-11-10');
const overdue = standing('2026-11-12', '2026-11-03');

const siteOf = (name: string, fire?: Standing): KnownSite => ({
  id: name,
  name,
  clientName: 'Client',
  standings: fire === undefined ? {} : { [KIND]: fire },
});
const own = (siteId: string, day = TODAY): OwnRecord => ({
  id: `${siteId} ${day}`,
  kind: KIND,
  siteId,
  day,
  subjects: [],
  place: 'Hall',
  failed: false,
});
type Around = { own: OwnRecord[]; round: string[]; today: string };
const known = { more: false, own: [], round: [], today: TODAY };
const namesOf = (sites: readonly KnownSite[], values: Partial<Around> = {}) =>
  dueSitesOf(KIND, undefined, { ...known, ...values, sites })?.sites.map(({ name }) => name);

describe('the sites where a check is due', () => {
  test("are those of today's round, then the overdue ones, then by name", () => {
    const sites = [siteOf('A', due), siteOf('B', overdue), siteOf('C', due), siteOf('D', done), siteOf('E')];
    expect(namesOf(sites)).toEqual(['B', 'A', 'C']);
    expect(namesOf(sites, { round: ['D', 'C', 'A'] })).toEqual(['C', 'A', 'B']);
  });

  test('are counted without what was recorded here and is not known there yet', () => {
    const sites = [siteOf('A', due), siteOf('B', overdue)];
    expect(namesOf(sites, { own: [own('B')] })).toEqual(['A']);
    // A record of another week: the site is still due in this one.
    expect(namesOf(sites, { own: [own('A', '2026-11-11')] })).toEqual(['B', 'A']);
  });

  test('are known by a copy that was made before the register told the subjects', () => {
    // The cast: such a copy has no field for the subjects.
    const old = { nextDue: '2026-11-19', lastDone: '2026-11-10', times: 1 } as Standing;
    expect(namesOf([siteOf('A', old)])).toEqual(['A']);
    expect(namesOf([siteOf('A', old)], { own: [own('A')] })).toEqual([]);
  });

  test('are due again in a week that began after the copy was made', () => {
    expect(namesOf([siteOf('A', done)])).toEqual([]);
    expect(namesOf([siteOf('A', done)], { today: '2026-11-20' })).toEqual(['A']);
  });

  test('are not known by a copy that does not tell, nor among many by the card of an earlier week', () => {
    expect(namesOf([{ id: 'A', name: 'A', clientName: 'Client' }])).toBeUndefined();
    const card: CheckCard = {
      kind: KIND,
      sites: 300,
      due: 3,
      overdue: 1,
      dueSites: [{ id: 'Z', name: 'Z', clientName: 'Client', isOverdue: true, done: null, of: null }],
      dueBy: '2026-11-19',
      lastDone: null,
      unexplained: 0,
      underRebuild: false,
    };
    const many = { ...known, more: true, sites: [siteOf('A', done)] };
    expect(dueSitesOf(KIND, card, many)).toMatchObject({ total: 3, sites: [{ id: 'Z' }] });
    expect(dueSitesOf(KIND, card, { ...many, today: '2026-11-20' })).toBeUndefined();
    expect(dueSitesOf(KIND, undefined, many)).toBeUndefined();
  });
});

describe('with what was recorded here, a round of several outlets', () => {
  const round = (times: number, ...subjects: [key: string, ...testedOn: string[]][]): Standing => ({
    nextDue: '2026-11-19',
    lastDone: '2026-11-10',
    times,
    subjects: subjects.map(([key, ...testedOn]) => ({ key, testedOn })),
  });
  const flushed = (day: string, ...subjects: string[]): OwnRecord => ({
    ...own('A', day),
    kind: 'outlet_flushing',
    subjects,
  });
  const joined = (standing: Standing, ...records: OwnRecord[]) =>
    standingWith(records, 'outlet_flushing', 'A', standing);
  const progress = (standing: Standing, today = TODAY) => progressOn('outlet_flushing', standing, today);

  test('is done with the last of them, whoever did the others', () => {
    const begun = round(1, ['hot'], ['cold', '2026-11-16'], ['mixed']);
    expect(progress(begun)).toEqual({ done: 1, of: 3 });
    const nearly = joined(begun, flushed(TODAY, 'hot'));
    expect([nearly.nextDue, nearly.lastDone, progress(nearly)]).toEqual([
      '2026-11-19',
      TODAY,
      { done: 2, of: 3 },
    ]);
    const all = joined(begun, flushed('2026-11-17', 'hot'), flushed(TODAY, 'mixed'));
    expect([all.nextDue, progress(all)]).toEqual(['2026-11-26', undefined]);
  });

  test('is not done by those of another week, or by one that is not among them', () => {
    const begun = round(1, ['hot', '2026-11-12'], ['cold', '2026-11-16']);
    for (const record of [
      flushed('2026-11-12', 'hot', 'cold'),
      flushed(TODAY, 'cold'),
      flushed(TODAY, 'retired'),
    ])
      expect(joined(begun, record).nextDue, record.day).toBe('2026-11-19');
    // The next week begins with nothing done.
    expect(progress(begun, '2026-11-20')).toBeUndefined();
  });

  test('is done twice a week after two days, and not after two records of one', () => {
    const once = round(2, ['hot', '2026-11-16'], ['cold', '2026-11-16']);
    expect(progress(once)).toEqual({ done: 0, of: 2 });
    expect(joined(once, flushed('2026-11-16', 'hot', 'cold')).nextDue).toBe('2026-11-19');
    expect(joined(once, flushed(TODAY, 'hot')).nextDue).toBe('2026-11-19');
    expect(joined(once, flushed(TODAY, 'hot', 'cold')).nextDue).toBe('2026-11-26');
  });

  test('without any outlet in use is never done', () => {
    expect(joined(round(1), flushed(TODAY, 'retired')).nextDue).toBe('2026-11-19');
  });
});

test('the assets that count for a record here are those that the definition judges tested', () => {
  const untested: Partial<Record<CheckKind, object>> = {
    emergency_lighting_test: { passed: null, notes: 'No access' },
    outlet_flushing: { isFlushed: false, notes: null },
  };
  for (const kind of CHECK_KINDS) {
    const { subject, judge } = definitionOf(kind);
    if (subject.of === 'place') continue;
    const passed = lineOf(kind, 'pass', 'the asset');
    for (const entry of [passed, lineOf(kind, 'fail', 'the asset'), { ...passed, ...untested[kind] }]) {
      const { result } = judge(entry, { outletKind: 'hot', healthcare: false });
      // The annual test of a light is a duty of its own.
      const counts =
        result !== 'not_tested' && !('testType' in entry && entry.testType === 'annual_duration');
      // The cast: no other fields of the input are read.
      const visit = { kind, buildingId: 'A', visitDate: TODAY, entries: [entry] } as unknown as VisitInput;
      expect(ownRecordOf('id', visit).subjects, `${kind} ${result}`).toEqual(counts ? ['the asset'] : []);
    }
  }
});

test('of what was recorded here the refused, the held and the discarded do not count', () => {
  const item = (id: string, state: QueuedCommand['state'], receipt: Partial<VisitReceipt> | null = null) => ({
    id,
    command: 'checks.record',
    state,
    receipt,
    input:
      state === 'received'
        ? null
        : {
            kind: KIND,
            buildingId: id,
            visitDate: TODAY,
            entries: [{ locationTested: 'Hall', passed: false }],
          },
  });
  const ofToday = ['got', 'held', 'discarded'].map((id) => ({ ...own(id), id }));
  const items = [
    item('waits', 'saved'),
    item('refused', 'attention'),
    item('got', 'received'),
    item('held', 'received', { held: true }),
  ];
  // The cast: no other fields of a queued command are read here.
  const counted = ownRecordsIn(items as unknown as QueuedCommand[], ofToday);
  expect(counted.map(({ siteId }) => siteId)).toEqual(['waits', 'got']);
  expect(counted[0]).toMatchObject({ place: 'Hall', failed: true, day: TODAY });
});

test('a form opens with what was begun, with where the person is, or with the only one that is due', () => {
  const at = (...ids: string[]) => ({
    total: ids.length,
    sites: ids.map((id) => ({ id, name: id, clientName: 'Client', isOverdue: false, done: null, of: null })),
  });
  const open = (values: Partial<Parameters<typeof openingSite>[0]>) =>
    openingSite({ drafted: undefined, due: at(), round: [], only: undefined, ...values });
  expect(open({ drafted: 'D', due: at('A'), round: ['B'] })).toBe('D');
  expect(open({ due: at('A'), round: ['B'] })).toBe('A');
  expect(open({ due: at('A', 'B', 'C'), round: ['B', 'A'] })).toBe('B');
  // Nothing is due at the person's own site, but at several other sites: the person has to choose.
  expect(open({ due: at('A', 'C'), round: ['B'] })).toBeUndefined();
  expect(open({ due: { ...at('A'), total: 7 } })).toBeUndefined();
  expect(open({ round: ['B'] })).toBe('B');
  expect(open({ due: undefined, only: 'O' })).toBe('O');
  expect(open({})).toBeUndefined();
});

test("the picker has today's round first, then what is due, then the rest, each with its state in a word", () => {
  const sites = ['A', 'B', 'C', 'D'].map((id) => ({ id, name: id, clientName: `Client ${id}` }));
  const [a, b] = ['A', 'B'].map((id, at) => ({
    ...{ id, name: id, clientName: '', isOverdue: at === 1 },
    ...{ done: null, of: null },
  }));
  if (a === undefined || b === undefined) throw new Error('two sites');
  const options = siteOptions(sites, { total: 2, sites: [b, a] }, ['C', 'A', 'gone']);
  expect(options.map(({ label, group, mark }) => [label, group, mark?.text])).toEqual([
    ['C', "Today's round", undefined],
    ['A', "Today's round", 'Due'],
    ['B', 'Due', 'Overdue'],
    ['D', 'Other sites', undefined],
  ]);
  expect(siteOptions(sites, undefined, []).map(({ group }) => group)).toEqual(
    sites.map(({ clientName }) => clientName),
  );
});
