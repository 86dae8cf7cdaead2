import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_DISPLAY_SETTINGS } from '#shared/features/displays/display-settings.ts';
import type { Wall } from '#shared/features/displays/displays.ts';
import { compareUrgent, isUrgent, type WallIssue, type WallPulse } from '#shared/features/displays/wall.ts';
import { seededRandom } from '#tests/support/random.ts';
import { WallClock } from '#web/wall/clock.ts';
import type { Layout } from '#web/wall/layout.ts';
import {
  Arrivals,
  acknowledgedIn,
  applyEvent,
  figuresOf,
  type Model,
  modelOf,
  sitesOf,
  unansweredIn,
  urgentIn,
  type WallEvent,
} from '#web/wall/model.ts';
import { hashOf, KEY_PAUSE_MS, type Page, PIN_MS, pageIn, Rotation } from '#web/wall/rotation.ts';
import { pagesOf } from '#web/wall/screens.ts';
import { agoText, countText, isWithin, leftText, localTime, span } from '#web/wall/words.ts';

const AT = '2026-11-20T14:00:00.000Z';
const NOW = Date.parse(AT);
const HOUR = 3_600_000;
const later = (hours: number) => new Date(NOW + hours * HOUR).toISOString();

function issue(id: string, values: Partial<WallIssue> = {}): WallIssue {
  return {
    id,
    buildingId: 'b1',
    status: 'open',
    priority: 'critical',
    createdAt: AT,
    respondedAt: null,
    respondDueAt: null,
    resolvedAt: null,
    resolveDueAt: null,
    pauseReason: null,
    pausedAt: null,
    acknowledgedAt: null,
    version: 1,
    ...values,
  };
}
function pulse(id: string, values: Partial<WallPulse> = {}): WallPulse {
  return {
    id,
    buildingId: id,
    openIssues: { low: 0, medium: 0, high: 0, critical: 0 },
    overdueIssues: 0,
    checks: { day: '2026-11-20', due: 0, done: 0, missed: 0 },
    tasks: { compliant: 0, nonCompliant: 0, overdue: 0, dueThisWeek: 0 },
    version: 1,
    ...values,
  };
}
function issuesOf(
  rows: WallIssue[],
  { critical = rows.length, high = 0, unanswered = 0, newest }: Partial<Wall['issues']> = {},
): Wall['issues'] {
  return { rows, critical, high, unanswered, newest: newest ?? null };
}
function wall(values: Partial<Wall> = {}): Wall {
  return {
    at: AT,
    timeZone: 'Europe/London',
    organisation: 'Northgate',
    display: {
      name: 'Reception',
      view: 'manager',
      settings: DEFAULT_DISPLAY_SETTINGS,
      paused: false,
      reloadAskedAt: null,
      version: 1,
    },
    places: [],
    pulses: [],
    issues: issuesOf([]),
    ...values,
  };
}
const place = (id: string, name = id) => ({ id, name, archivedAt: null, version: 1 });
const put = (g: number, entity: string, row: { id: string; version: number }): WallEvent => ({
  g,
  at: AT,
  entity,
  entityId: row.id,
  op: 'put',
  version: row.version,
  row,
});
const layout: Layout = {
  isPortrait: false,
  isBare: false,
  rows: 5,
  columns: 3,
  tileRows: 3,
  tiles: 9,
  weekRows: 3,
  hasStrip: false,
  hasMonthNames: true,
};

describe('what a display shows', () => {
  test('events leave what a new snapshot would hold, in any order within an issue', () => {
    const random = seededRandom('wall');
    const truth = new Map<string, WallIssue>();
    const model = modelOf({ data: wall() });
    const kept: WallEvent[] = [];
    for (let g = 1; g <= 3_000; g += 1) {
      const id = `i${random.below(40)}`;
      const row = issue(id, {
        status: random.pick(['open', 'in_progress', 'resolved', 'closed'] as const),
        priority: random.pick(['low', 'medium', 'high', 'critical'] as const),
        resolveDueAt: random.chance(0.8) ? later(random.below(50) - 25) : null,
        version: (truth.get(id)?.version ?? 0) + 1,
      });
      truth.set(id, row);
      kept.push(put(g, 'issue', row));
      expect(applyEvent(model, kept.at(-1) as WallEvent)).toBe('applied');
      // An event that arrives twice changes nothing.
      if (random.chance(0.2))
        applyEvent(model, random.pick(kept.filter(({ entityId }) => entityId === id).slice(-1)));
      const expected = [...truth.values()].filter(isUrgent).sort(compareUrgent);
      expect(urgentIn(model)).toEqual({ rows: expected, total: expected.length });
    }
  });

  test('the most urgent issue comes first: critical before high, then the least time left, then the newest', () => {
    const high = { priority: 'high' } as const;
    const rows = [
      issue('late', { ...high, resolveDueAt: later(-5) }),
      issue('paused', { resolveDueAt: later(1), pausedAt: AT }),
      issue('in five hours', { resolveDueAt: later(5) }),
      issue('in three hours', { resolveDueAt: later(9), respondDueAt: later(3) }),
      issue('in five hours, newer', { resolveDueAt: later(5), createdAt: later(1) }),
      issue('answered', { resolveDueAt: later(4), respondDueAt: later(1), respondedAt: AT }),
    ];
    const model = modelOf({ data: wall({ issues: issuesOf(rows, { critical: 5, high: 1 }) }) });
    expect(urgentIn(model).rows.map(({ id }) => id)).toEqual([
      'in three hours',
      'answered',
      'in five hours, newer',
      'in five hours',
      'paused',
      'late',
    ]);
  });

  test('what a transaction in the snapshot did is not applied again', () => {
    const resolved = issue('i1', { status: 'resolved', version: 3 });
    const model = modelOf({ data: wall(), visible: '100:120:110' });
    for (const tx of [99, 101, 111]) applyEvent(model, { ...put(1, 'issue', issue('i1')), tx });
    expect(urgentIn(model).rows).toEqual([]);
    applyEvent(model, { ...put(2, 'issue', issue('i2')), tx: 110 });
    applyEvent(model, { ...put(3, 'issue', resolved), tx: 120 });
    expect(urgentIn(model).rows.map(({ id }) => id)).toEqual(['i2']);
  });

  test('of more than it holds, it counts as the server did and asks again', () => {
    const rows = [issue('i1'), issue('i2')];
    const model = modelOf({ data: wall({ issues: issuesOf(rows, { critical: 4, high: 9 }) }) });
    expect(urgentIn(model).total).toBe(13);
    expect(applyEvent(model, put(1, 'issue', issue('i1', { status: 'closed', version: 2 })))).toBe('refetch');
    expect(applyEvent(model, put(2, 'issue', issue('i9', { priority: 'low' })))).toBe('applied');
  });

  test('a building that comes, goes or is erased is asked for', () => {
    const model = modelOf({ data: wall({ places: [place('b1')] }) });
    expect(applyEvent(model, put(1, 'place', { ...place('b1', 'New name'), version: 2 }))).toBe('applied');
    expect(model.places.get('b1')?.name).toBe('New name');
    expect(applyEvent(model, put(2, 'place', place('b2')))).toBe('refetch');
    const archived = { id: 'b1', name: 'b1', archivedAt: AT, version: 3 };
    expect(applyEvent(model, put(3, 'place', archived))).toBe('refetch');
    expect(applyEvent(model, { ...put(4, 'issue', issue('i1')), op: 'bulk' })).toBe('refetch');
  });

  test('figures are sums over the buildings that are shown', () => {
    const pulses = [
      pulse('b1', { openIssues: { low: 1, medium: 2, high: 3, critical: 4 }, overdueIssues: 5 }),
      pulse('b2', { checks: { day: '2026-11-20', due: 1, done: 2, missed: 3 } }),
      pulse('b3', { overdueIssues: 100 }),
    ];
    const model = modelOf({ data: wall({ places: [place('b1'), place('b2')], pulses }) });
    expect(figuresOf(model)).toMatchObject({
      open: 10,
      critical: 4,
      high: 3,
      overdue: 5,
      due: 1,
      done: 2,
      missed: 3,
    });
    const tasks = { compliant: 9, nonCompliant: 1, overdue: 1, dueThisWeek: 0 };
    applyEvent(model, put(1, 'buildingPulse', pulse('b2', { tasks, version: 2 })));
    applyEvent(model, put(2, 'buildingPulse', pulse('b2', { version: 1 })));
    expect(figuresOf(model)).toMatchObject({ compliant: 9, nonCompliant: 1, overdueTasks: 1, due: 0 });
  });

  test('the worst building comes first, then the alphabet', () => {
    const missed = (n: number) => ({ checks: { day: '2026-11-20', due: 0, done: 1, missed: n } });
    const pulses = [
      pulse('a'),
      pulse('b', missed(1)),
      pulse('c', missed(2)),
      pulse('d', missed(1)),
      pulse('e'),
    ];
    const model = modelOf({ data: wall({ places: pulses.map(({ id }) => place(id)), pulses }) });
    const { sites, attention } = sitesOf(model, 'today');
    expect([sites.map(({ id }) => id).join(''), attention]).toEqual(['cbdae', 3]);
  });

  test('an issue asks for attention until somebody has acknowledged it or responded', () => {
    const rows = [
      issue('old', { createdAt: later(-2) }),
      issue('new', { createdAt: later(-1) }),
      issue('answered', { respondedAt: AT }),
      issue('seen', { acknowledgedAt: AT }),
      issue('high', { priority: 'high' }),
    ];
    const model = modelOf({ data: wall({ issues: issuesOf(rows, { critical: 4, high: 1 }) }) });
    expect(unansweredIn(model).rows.map(({ id }) => id)).toEqual(['new', 'old']);
    expect(unansweredIn(model).total).toBe(2);
    expect(acknowledgedIn(model, later(-0.1))?.id).toBe('seen');
    expect(acknowledgedIn(model, AT)).toBeUndefined();
  });
});

describe('of more critical issues than a display holds', () => {
  const held = ['a', 'b'].map((id) => issue(id, { createdAt: later(-9) }));
  const last = issue('last', { createdAt: later(-1) });
  const crowd = () =>
    modelOf({ data: wall({ issues: issuesOf(held, { critical: 3_412, unanswered: 3_000, newest: last }) }) });
  const ids = (model: Model) => unansweredIn(model).rows.map(({ id }) => id);

  test('the newest is known, and how many ask for a person', () => {
    const model = crowd();
    expect([ids(model), unansweredIn(model).total]).toEqual([['last', 'a', 'b'], 3_000]);
    // The newest issue takes no place among the most urgent, because it is not one of them.
    expect(urgentIn(model).rows.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test('the newest that is answered or resolved asks no longer, and the next is asked for', () => {
    const answered = crowd();
    const seen = { ...last, acknowledgedAt: AT, version: 2 };
    expect(applyEvent(answered, put(1, 'issue', seen))).toBe('refetch');
    expect(ids(answered)).toEqual(['a', 'b']);
    const resolved = crowd();
    expect(
      applyEvent(resolved, put(1, 'issue', { ...last, status: 'resolved', version: 2 } as WallIssue)),
    ).toBe('refetch');
    expect(ids(resolved)).toEqual(['a', 'b']);
  });

  test('only what is newer has come; what moves into sight has not', () => {
    const arrivals = new Arrivals();
    const model = crowd();
    expect([arrivals.look(model), arrivals.look(model)]).toEqual([false, false]);
    applyEvent(model, put(1, 'issue', issue('old', { createdAt: later(-20) })));
    expect(arrivals.look(model)).toBe(false);
    applyEvent(model, put(2, 'issue', issue('new', { createdAt: AT })));
    expect([arrivals.look(model), arrivals.look(model)]).toEqual([true, false]);
  });
});

test('a critical issue has come when it was not there before, also one that was raised to critical', () => {
  const arrivals = new Arrivals();
  const raised = issue('i1', { priority: 'high', createdAt: later(-9) });
  const model = modelOf({ data: wall({ issues: issuesOf([raised], { critical: 0, high: 1 }) }) });
  expect(arrivals.look(model)).toBe(false);
  applyEvent(model, put(1, 'issue', { ...raised, priority: 'critical', version: 2 } as WallIssue));
  expect([arrivals.look(model), arrivals.look(model)]).toEqual([true, false]);
});

describe('pages', () => {
  const many = (count: number, values: Partial<WallIssue> = {}) =>
    Array.from({ length: count }, (_, n) => issue(`${values.priority ?? 'critical'}${n}`, values));
  const counts = (data: Wall) => {
    const pages = pagesOf(modelOf({ data }), layout);
    return ['now', 'today', 'week'].map((name) => pages.filter(({ screen }) => screen === name).length);
  };

  test('each screen has one, also with nothing to show', () => {
    expect(counts(wall())).toEqual([1, 1, 1]);
  });

  test('every critical issue has its place, and of the rest ten pages are shown', () => {
    const high = many(100, { priority: 'high' });
    expect(counts(wall({ issues: issuesOf(high, { critical: 0, high: 100 }) }))[0]).toBe(10);
    const critical = many(71);
    const both = issuesOf([...critical, ...high], { critical: 71, high: 100 });
    expect(counts(wall({ issues: both }))[0]).toBe(15);
  });

  test('every building with a missed check has its place among 2,000', () => {
    const pulses = Array.from({ length: 2_000 }, (_, n) =>
      pulse(`b${n}`, { checks: { day: '2026-11-20', due: 0, done: 1, missed: n % 10 === 0 ? 1 : 0 } }),
    );
    const places = pulses.map(({ id }) => place(id));
    // 200 buildings with nine on a page are 23 pages; compliance has ten pages.
    expect(counts(wall({ places, pulses }))).toEqual([1, 23, 10]);
  });
});

describe('the rotation', () => {
  const pages: Page[] = [
    { screen: 'now', page: 0 },
    { screen: 'now', page: 1 },
    { screen: 'today', page: 0 },
  ];
  const options = { pageMs: 20_000, isStopped: false };
  const at = (rotation: Rotation, now: number, of = pages) => hashOf(rotation.page(of, now, options));

  test('goes from page to page, and begins anew', () => {
    const rotation = new Rotation(pageIn(''), 0);
    const seen = [0, 19_999, 20_000, 40_000, 60_000].map((now) => at(rotation, now));
    expect(seen).toEqual(['#now/0', '#now/0', '#now/1', '#today/0', '#now/0']);
  });

  test('a key stops it for a minute', () => {
    const rotation = new Rotation(pageIn('#today/0'), 0);
    rotation.press(pages, 1_000, -1);
    expect(at(rotation, 1_000)).toBe('#now/1');
    expect(at(rotation, 1_000 + KEY_PAUSE_MS - 1)).toBe('#now/1');
    expect(rotation.isPaused(1_000 + KEY_PAUSE_MS)).toBe(false);
    at(rotation, 1_000 + KEY_PAUSE_MS);
    expect(at(rotation, 1_000 + KEY_PAUSE_MS + 20_000)).toBe('#today/0');
  });

  test('a new critical issue keeps the screen Now for five minutes, or until a key', () => {
    const rotation = new Rotation(pageIn('#today/0'), 0);
    rotation.pin(1_000);
    expect(at(rotation, 1_000)).toBe('#now/0');
    expect(at(rotation, PIN_MS)).toBe('#now/0');
    expect(at(rotation, PIN_MS + 21_000)).toBe('#now/1');
    rotation.pin(400_000);
    rotation.press(pages, 400_001, 1);
    expect(rotation.isPinned(400_001)).toBe(false);
  });

  test('a page that is gone becomes the last of its screen, and a screen that is gone the first', () => {
    const rotation = new Rotation(pageIn('#now/7'), 0);
    expect(at(rotation, 0)).toBe('#now/1');
    expect(at(rotation, 1, pages.slice(2))).toBe('#today/0');
  });

  test('an address that says nothing is the first page', () => {
    expect(['', '#', '#now/-1', '#now/x', '#gone/3'].map((hash) => hashOf(pageIn(hash)))).toEqual(
      Array(5).fill('#now/0'),
    );
    expect(hashOf(pageIn('#week/4'))).toBe('#week/4');
  });
});

describe('the clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: NOW });
  });
  afterEach(() => vi.useRealTimers());
  const frame = (clock: WallClock, at: number) => clock.hear(new Date(at).toISOString());

  test('is the server’s, whatever the device says, and tells how old the data are', () => {
    vi.setSystemTime('2001-01-01T00:00:00Z');
    const clock = new WallClock();
    expect([clock.now(), clock.ageMs()]).toEqual([undefined, Number.POSITIVE_INFINITY]);
    frame(clock, NOW);
    const states = [10_000, 1, 49_999, 1, 24 * HOUR].map((ms) => {
      vi.advanceTimersByTime(ms);
      return clock.freshness();
    });
    expect(states).toEqual(['live', 'reconnecting', 'reconnecting', 'stale', 'blank']);
    frame(clock, NOW + 25 * HOUR);
    expect([clock.freshness(), clock.now()]).toEqual(['live', NOW + 25 * HOUR]);
  });

  test('is right again soon after the device’s clock was set forward by less than frames are late', () => {
    const clock = new WallClock();
    frame(clock, NOW);
    vi.setSystemTime(NOW + 9_000);
    for (let n = 1; n <= 6; n += 1) {
      vi.advanceTimersByTime(5_000);
      frame(clock, NOW + n * 5_000);
    }
    expect([clock.freshness(), clock.now()]).toEqual(['live', NOW + 30_000]);
  });

  test('does not go back for a frame that is late', () => {
    const clock = new WallClock();
    frame(clock, NOW);
    vi.advanceTimersByTime(9_000);
    frame(clock, NOW + 5_000);
    expect([clock.now(), clock.ageMs()]).toEqual([NOW + 9_000, 4_000]);
  });
});

test('times are said in one unit, rounded down', () => {
  expect([-5, 59_999, 60_000, HOUR, 47 * HOUR, 48 * HOUR].map(span)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '1 h',
    '1 d',
    '2 d',
  ]);
  expect([0, 60_000].map(agoText)).toEqual(['just now', '1 min ago']);
  expect(leftText(issue('a', { resolveDueAt: later(2.5) }), NOW)).toEqual({
    text: '2 h left',
    isLate: false,
  });
  expect(leftText(issue('a', { resolveDueAt: later(-4) }), NOW)).toEqual({ text: '4 h over', isLate: true });
  expect(leftText(issue('a', { resolveDueAt: later(-4), pausedAt: AT }), NOW).text).toBe('Paused');
});

test('a long count is shortened on a panel that stands, never rounded up', () => {
  expect([9_999, 10_000, 19_999].map((count) => countText(count, true))).toEqual(['9,999', '10k', '19.9k']);
  expect(countText(19_999, false)).toBe('19,999');
});

test('hours of dimming may pass midnight', () => {
  const night = { from: 20, to: 7 };
  expect([19, 20, 23, 0, 6, 7].map((hour) => isWithin(hour, night))).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
  expect([8, 9, 16, 17].map((hour) => isWithin(hour, { from: 9, to: 17 }))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(localTime(Date.parse('2026-07-01T23:30:00Z'), 'Europe/London')).toEqual({ hour: 0, minute: 30 });
});
