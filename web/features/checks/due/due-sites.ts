import { nextPeriod, periodOf } from '#shared/check-periods.ts';
import type {
  CheckCard,
  DueSite,
  RegisterBuilding,
  RegisterSchedule,
} from '#shared/features/checks/answers.ts';
import { isIncident, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_KINDS, CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';

/** Where a check stands at a site: enough to say on any later day whether it is due. */
export type Standing = Pick<RegisterSchedule, 'lastDone' | 'nextDue' | 'times'>;
/** Of each kind that is done at a site. */
export type Standings = { [K in CheckKind]?: Standing };

/** A check that was recorded on this device, which what it knows of the site need not say yet. */
export type OwnRecord = {
  /** The entry's in the outbox. */
  id: string;
  kind: LogKind;
  siteId: string;
  day: string;
  /** Of a test at one place. */
  place: string | undefined;
  failed: boolean;
};

/** A site as the forms list it. */
export type KnownSite = {
  id: string;
  name: string;
  clientName: string;
  /** Absent where nothing is known of when its checks are due. */
  standings?: Standings | undefined;
};

/** Where a check has to be done now: the sites in the order in which to go, and how many there are. */
export type DueSites = { sites: readonly DueSite[]; total: number };

export function standingsOf({ checks }: RegisterBuilding): Standings {
  const standings: Standings = {};
  for (const kind of CHECK_KINDS) {
    const schedule = checks[kind]?.schedule;
    if (schedule?.applies !== true) continue;
    const { lastDone, nextDue, times } = schedule;
    standings[kind] = { lastDone, nextDue, times };
  }
  return standings;
}

/** Where it stands once a record of that day counts. */
export function afterRecord(kind: CheckKind, standing: Standing, day: string): Standing {
  const { lastDone, nextDue } = standing;
  // A copy of before the times were told.
  const times = standing.times ?? 1;
  if (day === lastDone) return standing;
  const days = [day, ...(lastDone === null ? [] : [lastDone])].sort();
  const last = days.at(-1) ?? day;
  const counts = times === 1 ? last : days.length > 1 ? days[0] : undefined;
  const { cadence } = CHECK_VOCABULARY[kind];
  const next = counts === undefined ? nextDue : nextPeriod(cadence, periodOf(cadence, counts)).end;
  return { times, lastDone: last, nextDue: [next, nextDue].sort()[1] ?? nextDue };
}

/** Where it stands with all that was recorded here. */
export function standingWith(
  own: readonly OwnRecord[],
  kind: CheckKind,
  siteId: string,
  standing: Standing,
): Standing {
  return own
    .filter((record) => record.kind === kind && record.siteId === siteId)
    .reduce((now, { day }) => afterRecord(kind, now, day), standing);
}

/** Nothing recorded in the present week or month yet. */
export function isDueOn(kind: CheckKind, { nextDue }: Standing, today: string): boolean {
  const { cadence } = CHECK_VOCABULARY[kind];
  return periodOf(cadence, nextDue).start <= periodOf(cadence, today).start;
}

type Known = {
  sites: readonly KnownSite[];
  /** There are more sites than these. */
  more: boolean;
  own: readonly OwnRecord[];
  /** Where the person was today, the latest first. */
  round: readonly string[];
  today: string;
};

/**
 * Where a kind of check has to be done: today's round first, then what is overdue, then by name. Undefined where that
 * is not known.
 * @param card says it of the sites that are not among those known
 */
export function dueSitesOf(kind: LogKind, card: CheckCard | undefined, known: Known): DueSites | undefined {
  if (isIncident(kind)) return { sites: [], total: 0 };
  const { sites, more, own, round, today } = known;
  if (sites.some(({ standings }) => standings === undefined)) return undefined;
  // What a card of an earlier week or month counts is over.
  if (more && (card === undefined || card.dueBy < today)) return undefined;
  const here = new Set(sites.map(({ id }) => id));
  const among = sites.flatMap(({ id, name, clientName, standings }): DueSite[] => {
    const standing = standings?.[kind];
    if (standing === undefined) return [];
    const now = standingWith(own, kind, id, standing);
    return isDueOn(kind, now, today) ? [{ id, name, clientName, isOverdue: now.nextDue < today }] : [];
  });
  const elsewhere = more
    ? (card?.dueSites ?? []).filter(
        ({ id }) => !here.has(id) && !own.some((record) => record.kind === kind && record.siteId === id),
      )
    : [];
  const unnamed = more && card !== undefined ? card.due - card.dueSites.length : 0;
  const all = [...among, ...elsewhere].sort((a, b) => rank(a) - rank(b) || compare(a.name, b.name));
  return { sites: all, total: all.length + unnamed };

  function rank({ id, isOverdue }: DueSite): number {
    const at = round.indexOf(id);
    return at === -1 ? round.length + (isOverdue ? 0 : 1) : at;
  }
}

// One for all comparisons: among two thousand sites a phone would notice.
export const { compare } = new Intl.Collator('en-GB');
