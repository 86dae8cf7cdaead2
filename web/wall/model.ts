import type { Wall } from '#shared/features/displays/displays.ts';
import {
  compareUrgent,
  isUnanswered,
  isUrgent,
  type WallIssue,
  type WallPlace,
  type WallPulse,
} from '#shared/features/displays/wall.ts';
import { parseVisible, type Snapshot } from '#shared/live/live.ts';
import { sortByName } from '#shared/text/name-keys.ts';

/** An event as a display receives it. */
export type WallEvent = {
  g: number;
  tx?: number;
  /** ISO. */
  at: string;
  entity: string;
  entityId: string;
  op: 'put' | 'del' | 'bulk';
  version: number;
  row?: unknown;
  erased?: true;
};
/** A frame of the stream; `at` is the server's time, ISO. */
export type WallFrame = {
  at: string;
  events: WallEvent[];
  reset?: string;
  access?: { version: number };
  crowd?: number;
};

/** All the data that is shown, kept up to date by events. */
export type Model = {
  wall: Wall;
  /** Whether the snapshot contains the changes of a transaction. */
  holds: (tx: number) => boolean;
  issues: Map<string, WallIssue>;
  places: Map<string, WallPlace>;
  pulses: Map<string, WallPulse>;
  /** The newest issue that nobody has answered; only set if `issues` may not contain it. */
  newest: WallIssue | undefined;
  /** Whether `issues` contains all urgent issues, not only the most urgent ones. */
  isWhole: boolean;
  /** The time of the newest change, ISO; undefined before the first. */
  changedAt: string | undefined;
};

const byId = <Row extends { id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));

export function modelOf({ data, visible }: Pick<Snapshot<Wall>, 'data' | 'visible'>): Model {
  const { rows, critical, high } = data.issues;
  return {
    wall: data,
    holds: parseVisible(visible) ?? (() => false),
    issues: byId(rows),
    places: byId(data.places),
    pulses: byId(data.pulses),
    newest: data.issues.newest ?? undefined,
    isWhole: rows.length === critical + high,
    changedAt: undefined,
  };
}

/**
 * Applies an event.
 * @returns `refetch` if only the server knows what to show after the event
 */
export function applyEvent(model: Model, event: WallEvent): 'applied' | 'refetch' {
  if (event.tx !== undefined && model.holds(event.tx)) return 'applied';
  model.changedAt = event.at;
  if (event.op === 'bulk' || event.erased === true) return 'refetch';
  if (event.entity === 'issue') return applyIssue(model, event);
  if (event.entity === 'place') return applyPlace(model, event);
  if (event.entity === 'buildingPulse') applyPulse(model, event);
  return 'applied';
}

function applyIssue(model: Model, { op, entityId, version, row }: WallEvent): 'applied' | 'refetch' {
  const known = model.issues.get(entityId);
  if (known !== undefined && known.version >= version) return 'applied';
  // The cast: the server's projection makes rows of this type.
  const issue = row as WallIssue | undefined;
  const isShown = op === 'put' && issue !== undefined && isUrgent(issue);
  const wasNewest = model.newest?.id === entityId;
  if (wasNewest) model.newest = undefined;
  if (isShown) model.issues.set(entityId, issue);
  else if (known !== undefined) model.issues.delete(entityId);
  // If `issues` is not complete, only the server can count the other issues, and only it knows which of them moves up.
  return model.isWhole || (!isShown && known === undefined && !wasNewest) ? 'applied' : 'refetch';
}

function applyPlace(model: Model, { entityId, row }: WallEvent): 'applied' | 'refetch' {
  const place = row as WallPlace | undefined;
  const isHere = model.places.has(entityId);
  // When a building appears or disappears, its issues do too.
  if (place === undefined || (place.archivedAt === null) !== isHere) return 'refetch';
  if (isHere) model.places.set(entityId, place);
  return 'applied';
}

function applyPulse({ pulses }: Model, { op, entityId, version, row }: WallEvent): void {
  const known = pulses.get(entityId);
  if (known !== undefined && known.version >= version) return;
  if (op === 'put' && row !== undefined) pulses.set(entityId, row as WallPulse);
  else pulses.delete(entityId);
}

/** The urgent issues in order, and how many there are in all. */
export function urgentIn({ issues, isWhole, wall }: Model): { rows: WallIssue[]; total: number } {
  const rows = [...issues.values()].sort(compareUrgent);
  return { rows, total: isWhole ? rows.length : wall.issues.critical + wall.issues.high };
}

/** The critical issues without an acknowledgement or a response, the newest first, and how many there are in all. */
export function unansweredIn({ issues, newest, isWhole, wall }: Model): { rows: WallIssue[]; total: number } {
  const held = [...issues.values()];
  if (newest !== undefined && !issues.has(newest.id)) held.push(newest);
  const rows = held.filter(isUnanswered).sort((a, b) => (a.createdAt > b.createdAt ? -1 : 1));
  return { rows, total: isWhole ? rows.length : Math.max(rows.length, wall.issues.unanswered) };
}

/** Detects new critical issues. */
export class Arrivals {
  #known: ReadonlySet<string> | undefined;
  #newestAt = '';
  #wasWhole = false;

  /** @returns whether a new issue has arrived since the last call; false at the first call, which finds the existing issues */
  look(model: Model): boolean {
    const { rows } = unansweredIn(model);
    const known = this.#known;
    // If the model is not complete, an old issue may appear when another is resolved, so only an issue that is newer than
    // all earlier ones counts as new.
    const isComplete = model.isWhole && this.#wasWhole;
    const hasCome = rows.some(
      ({ id, createdAt }) => known?.has(id) === false && (isComplete || createdAt > this.#newestAt),
    );
    this.#known = new Set(rows.map(({ id }) => id));
    this.#wasWhole = model.isWhole;
    const newestAt = rows[0]?.createdAt ?? '';
    if (newestAt > this.#newestAt) this.#newestAt = newestAt;
    return hasCome;
  }
}

/** The critical issue that was acknowledged last, if that was after a moment, ISO. */
export function acknowledgedIn({ issues }: Model, after: string): WallIssue | undefined {
  let newest: WallIssue | undefined;
  for (const issue of issues.values()) {
    if (issue.priority !== 'critical' || (issue.acknowledgedAt ?? '') <= after) continue;
    if ((issue.acknowledgedAt ?? '') > (newest?.acknowledgedAt ?? '')) newest = issue;
  }
  return newest;
}

/** Sums over all buildings that are shown. */
export type Figures = {
  open: number;
  critical: number;
  high: number;
  overdue: number;
  due: number;
  done: number;
  missed: number;
  compliant: number;
  nonCompliant: number;
  overdueTasks: number;
};

export function figuresOf({ pulses, places }: Model): Figures {
  const sums: Figures = {
    open: 0,
    critical: 0,
    high: 0,
    overdue: 0,
    due: 0,
    done: 0,
    missed: 0,
    compliant: 0,
    nonCompliant: 0,
    overdueTasks: 0,
  };
  for (const { buildingId, openIssues, overdueIssues, checks, tasks } of pulses.values()) {
    if (!places.has(buildingId)) continue;
    sums.open += openIssues.low + openIssues.medium + openIssues.high + openIssues.critical;
    sums.critical += openIssues.critical;
    sums.high += openIssues.high;
    sums.overdue += overdueIssues;
    sums.due += checks.due;
    sums.done += checks.done;
    sums.missed += checks.missed;
    sums.compliant += tasks.compliant;
    sums.nonCompliant += tasks.nonCompliant;
    sums.overdueTasks += tasks.overdue;
  }
  return sums;
}

/** A building on the screens Today and Week. */
export type Site = { id: string; name: string; pulse: WallPulse };

/** The numbers by which the buildings of each screen are sorted, worst first: the first number that differs decides. */
const WORST: Readonly<Record<'today' | 'week', (pulse: WallPulse) => readonly number[]>> = {
  today: ({ checks, openIssues }) => [checks.missed, checks.due, openIssues.critical],
  week: ({ tasks }) => [tasks.overdue, tasks.nonCompliant, tasks.dueThisWeek],
};

/** Whether a building needs attention: all such buildings are shown, however many there are. */
const ATTENTION: Readonly<Record<'today' | 'week', (pulse: WallPulse) => boolean>> = {
  today: ({ checks }) => checks.missed > 0,
  week: ({ tasks }) => tasks.nonCompliant > 0,
};

/** The buildings of a screen, the worst first, then by name; and how many of them need attention. */
export function sitesOf(
  { places, pulses }: Model,
  screen: 'today' | 'week',
): { sites: Site[]; attention: number } {
  const shown: Site[] = [];
  for (const { id, name } of places.values()) {
    const pulse = pulses.get(id);
    if (pulse !== undefined) shown.push({ id, name, pulse });
  }
  shown.sort((a, b) => (a.id < b.id ? -1 : 1));
  const sites = sortByName(shown, ({ name }) => name);
  const worst = WORST[screen];
  const badness = new Map(sites.map(({ id, pulse }) => [id, worst(pulse)]));
  sites.sort((a, b) => {
    const [ofA, ofB] = [badness.get(a.id) ?? [], badness.get(b.id) ?? []];
    const at = ofA.findIndex((count, index) => count !== ofB[index]);
    return at < 0 ? 0 : (ofB[at] ?? 0) - (ofA[at] ?? 0);
  });
  return { sites, attention: sites.filter(({ pulse }) => ATTENTION[screen](pulse)).length };
}
