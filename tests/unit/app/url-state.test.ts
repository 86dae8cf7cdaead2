import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { activityUrl } from '#web/features/activity/activity-url.ts';
import { assetsUrl } from '#web/features/assets/assets-url.ts';
import { logUrlOf } from '#web/features/checks/log-book/log-url.ts';
import { documentsUrl } from '#web/features/documents/documents-url.ts';
import { issuesUrl } from '#web/features/issues/issues-url.ts';
import { tasksUrl } from '#web/features/tasks/tasks-url.ts';
import { templatesUrl } from '#web/features/tasks/templates/templates-url.ts';
import {
  choice,
  choices,
  day,
  defineUrlState,
  flag,
  id,
  idOr,
  text,
  type UrlState,
  wholeNumber,
} from '#web/lib/url-state.ts';

const ID = '018f0000-0000-7000-8000-0000000000b1';

const url = defineUrlState(
  {
    building: id('building'),
    scope: idOr('scope', 'all'),
    view: choice('view', ['board', 'list'], 'board'),
    type: choice('type', ['lift', 'lamp'], null),
    statuses: choices('status', ['open', 'closed', 'lost']),
    mine: flag('assigned', 'me'),
    bin: flag('show', 'bin'),
    upload: flag('show', 'upload'),
    search: text('q', 5),
    year: wholeNumber('year', { least: 2000, most: 2100, fallback: 2026 }),
    from: day('from'),
  },
  (state) => (state.building === null ? { ...state, view: 'board' as const } : state),
);
const read = (query: string) => url.read(new URLSearchParams(query));

describe('the state in an address', () => {
  test('is the defaults without parameters, and the other way round', () => {
    expect(read('')).toEqual(url.defaults);
    expect(url.write(url.defaults).toString()).toBe('');
  });

  test('is read value by value', () => {
    const query = `building=${ID.toUpperCase()}&scope=all&view=list&type=lamp&status=lost,open&assigned=me&show=bin&q=a+b&year=2025&from=2024-02-29`;
    expect(read(query)).toEqual({
      ...{ building: ID, scope: 'all', view: 'list', type: 'lamp', statuses: ['open', 'lost'], mine: true },
      ...{ bin: true, upload: false, search: 'a b', year: 2025, from: '2024-02-29' },
    });
  });

  test.each([
    'building=1&scope=some&view=wall&type=&status=none,&assigned=you&show=all&q=&year=1999&from=2026-02-30',
    'year=20.5&from=1899-12-31&status=open,closed,lost&building=<script>',
    'year=-1&from=2026-1-1&view=list',
  ])('is the default for what is no value: %s', (query) => {
    expect(read(query)).toEqual(url.defaults);
  });

  test('cuts long text, and keeps the parameters around', () => {
    expect(read('q=abcdefgh').search).toBe('abcde');
    expect(url.write({ ...url.defaults, search: 'x&y' }, { tab: 'documents' }).toString()).toBe(
      'tab=documents&q=x%26y',
    );
  });

  test('has the first of two values that share a parameter', () => {
    expect(url.write({ ...url.defaults, bin: true, upload: true }).toString()).toBe('show=bin');
  });

  test('counts filters in use, and clears them', () => {
    const filters = ['statuses', 'mine', 'search', 'year'] as const;
    expect(url.countChanged(read(`q=++&building=${ID}`), filters)).toBe(0);
    expect(url.countChanged(read('q=a&status=open&year=2025'), filters)).toBe(3);
    expect(url.defaultsOf(filters)).toEqual({ statuses: [], mine: false, search: '', year: 2026 });
  });
});

/** The state of each screen, without its type: the values are made from those that the screen reads. */
const SCREENS: Readonly<Record<string, UrlState<object>>> = {
  activity: activityUrl as UrlState<object>,
  assets: assetsUrl as UrlState<object>,
  documents: documentsUrl as UrlState<object>,
  issues: issuesUrl as UrlState<object>,
  log: logUrlOf('fire_alarm_test', '2026-11-27') as UrlState<object>,
  tasks: tasksUrl as UrlState<object>,
  templates: templatesUrl as UrlState<object>,
};
const NAMES =
  'building floor type status q sort direction view priority created assigned issue report column due responsible frequency show group task class nation folder search expiry document year month result entries operative period subject entry person kind from to';
const TEXTS = fc.oneof(
  fc.uuid(),
  fc.constantFrom(
    ...['all', 'choose', 'list', 'grid', 'desc', 'open', 'open,closed', 'retired', 'bin', 'upload', 'me'],
    ...[
      '2026-01-31',
      '2026-02-30',
      '7',
      '2025',
      'weekly',
      'overdue',
      'expired',
      'fail',
      'pass',
      'discipline_general',
    ],
  ),
  fc.string({ maxLength: 200 }),
);

describe.each(Object.entries(SCREENS))('the address of %s', (_, screen) => {
  test('brings back the state that it was written from, whatever was in the first one', () => {
    const queries = fc.dictionary(fc.constantFrom(...NAMES.split(' ')), TEXTS, { maxKeys: 12 });
    fc.assert(
      fc.property(queries, (query) => {
        const state = screen.read(new URLSearchParams(query));
        const written = screen.write(state).toString();
        expect(screen.read(new URLSearchParams(written))).toEqual(state);
        expect(screen.write(screen.read(new URLSearchParams(written))).toString()).toBe(written);
      }),
    );
  });
});
