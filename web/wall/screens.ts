import type { WallIssue, WallWeek } from '#shared/features/displays/wall.ts';
import type { Freshness } from './clock.ts';
import { el, typedLine } from './element.ts';
import type { Layout } from './layout.ts';
import {
  acknowledgedIn,
  figuresOf,
  type Model,
  type Site,
  sitesOf,
  unansweredIn,
  urgentIn,
} from './model.ts';
import { type Page, PIN_MS } from './rotation.ts';
import { agoText, countText, dayText, leftText, span, timeText, words } from './words.ts';
import { yearStrip } from './year-strip.ts';

/** The maximum number of pages of a screen, unless the content that needs attention takes more. */
const PAGES_MAX = 10;

/** The number of pages of a screen: enough for all content that needs attention; the rest is shown within `PAGES_MAX`. */
function pageCount(all: number, attention: number, perPage: number): number {
  const needed = Math.ceil(attention / perPage);
  return Math.max(1, Math.min(Math.ceil(all / perPage), Math.max(needed, PAGES_MAX)));
}

/** Rows of buildings on a page of a screen. */
function siteRows(screen: 'today' | 'week', { tileRows, weekRows }: Layout): number {
  return screen === 'week' ? weekRows : tileRows;
}

/** All pages, in the order of their rotation. */
export function pagesOf(model: Model, layout: Layout): Page[] {
  return model.wall.display.settings.screens.flatMap((screen) => {
    let count: number;
    if (screen === 'now') {
      const { rows } = urgentIn(model);
      const critical = rows.filter(({ priority }) => priority === 'critical').length;
      count = pageCount(rows.length, critical, layout.rows);
    } else {
      const { sites, attention } = sitesOf(model, screen);
      count = pageCount(sites.length, attention, layout.columns * siteRows(screen, layout));
    }
    return Array.from({ length: count }, (_, page) => ({ screen, page }));
  });
}

/** The line at the top: the organisation of the display, whether the data is live, and the time. */
export function header(
  { wall, changedAt }: Model,
  {
    freshness,
    now,
    dataAt,
    isPaused,
  }: { freshness: Freshness; now: number; dataAt: number; isPaused: boolean },
  { isPortrait }: Layout,
): HTMLElement {
  const { timeZone, organisation } = wall;
  const asOf = words.asOf(timeText(dataAt, timeZone, true));
  const state = {
    live: changedAt === undefined ? words.live : words.liveSince(span(now - Date.parse(changedAt))),
    reconnecting: `${words.reconnecting} · ${asOf}`,
    stale: asOf,
    blank: asOf,
  }[freshness];
  return el(
    'header',
    `top is-${freshness}`,
    el(
      'div',
      'top-left',
      typedLine('div', organisation, 'organisation'),
      el(
        'div',
        'state quiet',
        el('i', 'dot'),
        el('span', 'line', isPaused && freshness === 'live' ? `${state} · ${words.paused}` : state),
      ),
    ),
    el(
      'div',
      'clock',
      el('div', 'time', timeText(now, timeZone)),
      el('div', 'quiet', dayText(now, timeZone, isPortrait ? 'short' : 'long')),
    ),
  );
}

/** The band with the message that must not be overlooked; undefined if there is none. */
export function alertBand(
  model: Model,
  { freshness, now, dataAt }: { freshness: Freshness; now: number; dataAt: number },
): { className: string; text: string } | undefined {
  if (freshness === 'stale') return { className: 'band band-stale', text: words.stale(span(now - dataAt)) };
  const { rows, total } = unansweredIn(model);
  const [newest] = rows;
  if (newest === undefined) return acknowledgedBand(model, now);
  const where = model.places.get(newest.buildingId)?.name;
  const what = [newest.title, where, agoText(now - Date.parse(newest.createdAt))];
  const text = words.unanswered(what.filter((part) => part !== undefined).join(' · '), total);
  return { className: 'band band-new', text };
}

/** Shows who acknowledged a critical issue, for `PIN_MS`, which is also how long a new critical issue keeps the screen Now. */
function acknowledgedBand(model: Model, now: number): { className: string; text: string } | undefined {
  const issue = acknowledgedIn(model, new Date(now - PIN_MS).toISOString());
  if (issue?.acknowledgedAt == null) return undefined;
  const { title, buildingId, acknowledgedAt, acknowledgedByName } = issue;
  const what = [title, model.places.get(buildingId)?.name].filter((part) => part !== undefined).join(' · ');
  const time = timeText(Date.parse(acknowledgedAt), model.wall.timeZone);
  return { className: 'band band-seen', text: words.acknowledged(time, acknowledgedByName ?? null, what) };
}

/** @param weeks the last year, for the screen Week; undefined while it is not known */
export function screen(
  model: Model,
  page: Page,
  layout: Layout,
  { now, weeks }: { now: number; weeks: readonly WallWeek[] | undefined },
): HTMLElement {
  if (page.screen === 'now') return nowScreen(model, page.page, layout, now);
  const strip = page.screen === 'week' && layout.hasStrip && yearStrip(weeks, layout);
  return sitesScreen(model, page.screen, page.page, { layout, strip });
}

function nowScreen(model: Model, page: number, layout: Layout, now: number): HTMLElement {
  const { rows, total } = urgentIn(model);
  const first = page * layout.rows;
  const shown = rows.slice(first, first + layout.rows);
  const list = el(
    'section',
    'card list',
    el(
      'div',
      'head',
      el('b', '', words.attention),
      shown.length > 0 && el('span', 'quiet', words.range(first + 1, first + shown.length, total)),
    ),
    ...shown.map((issue) => row(model, issue, now)),
    shown.length === 0 &&
      el('div', 'none quiet', model.places.size === 0 ? words.noBuildings : words.nothingUrgent),
  );
  return el('div', 'now', figures(model, layout), list);
}

function row(model: Model, issue: WallIssue, now: number): HTMLElement {
  const { title, priority, status, createdAt, buildingId } = issue;
  const isCritical = priority === 'critical';
  const place = model.places.get(buildingId)?.name ?? '';
  const left = leftText(issue, now);
  const state = `${isCritical ? words.critical : words.high}, ${words.states[status]}`;
  return el(
    'div',
    'row',
    el('i', isCritical ? 'mark mark-critical' : 'mark mark-high', isCritical && '!'),
    el(
      'div',
      'row-text',
      typedLine('b', title ?? place),
      typedLine('div', title === undefined ? state : place, 'quiet'),
    ),
    el(
      'div',
      'row-time',
      el('b', left.isLate ? 'bad' : '', left.text),
      el('div', 'quiet', agoText(now - Date.parse(createdAt))),
    ),
  );
}

function figures(model: Model, { isPortrait }: Layout): HTMLElement {
  const { open, critical, high, due, done, missed, compliant, nonCompliant, overdueTasks } = figuresOf(model);
  const checks = due + done + missed;
  const tasks = compliant + nonCompliant;
  const urgent = el(
    'div',
    'line',
    critical > 0 && el('span', 'part bad', words.criticals(critical)),
    high > 0 && el('span', 'part due', words.highs(high)),
    critical + high === 0 && el('span', 'quiet', words.noneUrgent),
  );
  const bar = el('i', '');
  bar.style.width = checks === 0 ? '0' : `${Math.floor((100 * done) / checks)}%`;
  return el(
    'div',
    'figures',
    figure(words.openIssues, [countText(open, isPortrait)], urgent),
    figure(
      words.checksDone,
      checks === 0
        ? [words.none]
        : [countText(done, isPortrait), el('small', '', ` / ${countText(checks, isPortrait)}`)],
      missed > 0 ? el('div', 'line bad', words.missed(missed)) : el('div', 'bar', bar),
    ),
    figure(
      words.compliantTasks,
      tasks === 0 ? [words.none] : [`${Math.floor((100 * compliant) / tasks)}%`],
      overdueTasks > 0
        ? el('div', 'line due', words.overdue(overdueTasks))
        : el('div', 'line quiet', tasks === 0 ? words.noTasks : words.noneOverdue),
    ),
  );
}

function figure(label: string, number: (Node | string)[], below: Node): HTMLElement {
  return el('section', 'card figure', el('div', 'quiet line', label), el('div', 'number', ...number), below);
}

function sitesScreen(
  model: Model,
  kind: 'today' | 'week',
  page: number,
  { layout, strip }: { layout: Layout; strip: HTMLElement | false },
): HTMLElement {
  const { sites } = sitesOf(model, kind);
  const rows = siteRows(kind, layout);
  const count = layout.columns * rows;
  const first = page * count;
  const shown = sites.slice(first, first + count);
  const tiles = el('div', 'tiles', ...shown.map((site) => tile(site, kind)));
  tiles.style.gridTemplateColumns = `repeat(${layout.columns}, minmax(0, 1fr))`;
  tiles.style.gridTemplateRows = `repeat(${rows}, minmax(0, 1fr))`;
  return el(
    'div',
    'sites',
    strip,
    el(
      'div',
      'head',
      el('b', 'line', kind === 'today' ? words.today : words.week),
      shown.length > 0 && el('span', 'quiet', words.range(first + 1, first + shown.length, sites.length)),
    ),
    shown.length === 0 ? el('div', 'none quiet', words.noBuildings) : tiles,
  );
}

function tile({ name, pulse }: Site, kind: 'today' | 'week'): HTMLElement {
  const { tone, text } = kind === 'today' ? checksText(pulse) : tasksText(pulse);
  const textClass = { bad: 'line bad', due: 'line due', ok: 'line quiet', none: 'line quiet' }[tone];
  return el('div', `tile tile-${tone}`, typedLine('b', name), el('div', textClass, text));
}

/** The text of a cell; `none`: the building has no checks or tasks. */
type Said = { tone: 'bad' | 'due' | 'ok' | 'none'; text: string };

function checksText({ checks: { due, done, missed } }: Site['pulse']): Said {
  const of = due + done + missed;
  if (of === 0) return { tone: 'none', text: words.noChecks };
  const doneText = words.doneOf(done, of);
  if (missed > 0) return { tone: 'bad', text: `${words.missed(missed)} · ${doneText}` };
  return due > 0 ? { tone: 'due', text: doneText } : { tone: 'ok', text: doneText };
}

function tasksText({ tasks: { compliant, nonCompliant, overdue, dueThisWeek } }: Site['pulse']): Said {
  const of = compliant + nonCompliant;
  if (of === 0) return { tone: 'none', text: words.noTasks };
  const percent = `${Math.floor((100 * compliant) / of)}%`;
  if (overdue > 0) return { tone: 'bad', text: `${percent} · ${words.overdue(overdue)}` };
  if (dueThisWeek > 0) return { tone: 'due', text: `${percent} · ${words.dueThisWeek(dueThisWeek)}` };
  return { tone: nonCompliant > 0 ? 'due' : 'ok', text: percent };
}
