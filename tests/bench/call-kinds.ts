import { addDays } from '#shared/dates.ts';
import type { CommentIssueInput } from '#shared/features/issues/issues.ts';
import { uuidv7 } from '#shared/ids.ts';
import { lineOf, visitOf } from '#tests/support/rows/checks.ts';
import type { CallPlaces } from './data/call-population.ts';

/** The measured calls. */
export const CALL_NAMES = [
  'comment',
  'move of a card',
  'report of an issue',
  'fire alarm test',
  'round of 12 outlets',
  'page of 50 issues',
  'counts',
  'me',
  'year of a log',
] as const;
export type CallName = (typeof CALL_NAMES)[number];

type CallKind = {
  procedure: string;
  /** Whether the web client sends the call in a batch; calls of the send queue and of the session are sent alone. */
  batched: boolean;
  saves: boolean;
  /** The input of a person's n-th call of this kind. */
  input(places: CallPlaces, n: number): unknown;
  /** The same call as a program makes it. */
  byApi?(input: never): { path: string; idempotencyKey: string; body: object };
};

const DAYS_BACK = 2_000;

/** How each call is sent. Every input is valid and its ids are new. */
export const CALL_KINDS: Readonly<Record<CallName, CallKind>> = {
  comment: {
    procedure: 'issues.comment',
    batched: true,
    saves: true,
    input: ({ cards }, n) => ({
      operationId: uuidv7(),
      id: uuidv7(),
      issueId: turn(cards, n).id,
      body: `Seen again on visit ${n}; the part is ordered and comes on Thursday.`,
    }),
    byApi: ({ operationId, issueId, body }: CommentIssueInput) => ({
      path: `/api/v1/issues/${issueId}/comments`,
      idempotencyKey: operationId,
      body: { body },
    }),
  },
  'move of a card': {
    procedure: 'issues.update',
    batched: true,
    saves: true,
    input({ cards }, n) {
      const card = turn(cards, n);
      const from = card.status;
      const to = from === 'open' ? 'in_progress' : 'open';
      card.status = to;
      return { operationId: uuidv7(), id: card.id, changes: { status: { from, to } } };
    },
  },
  'report of an issue': {
    procedure: 'issues.create',
    batched: false,
    saves: true,
    input: ({ sites }, n) => ({
      operationId: uuidv7(),
      id: uuidv7(),
      buildingId: turn(sites, n).id,
      title: `Lamp ${n} is out in the corridor of the second floor`,
      description: 'Seen on the morning round; the switch was tried, the bulb was tried.',
      priority: 'medium',
    }),
  },
  'fire alarm test': {
    procedure: 'checks.record',
    batched: false,
    saves: true,
    input({ sites }, n) {
      const site = turn(sites, n);
      const point = turn(site.callPoints, Math.floor(n / sites.length));
      return visitOf('fire_alarm_test', {
        ...visitAt(sites, n),
        entries: [lineOf('fire_alarm_test', 'pass', point)],
      });
    },
  },
  'round of 12 outlets': {
    procedure: 'checks.record',
    batched: false,
    saves: true,
    input: ({ sites }, n) =>
      visitOf('water_temperature_check', {
        ...visitAt(sites, n),
        entries: turn(sites, n).outlets.map((id) => lineOf('water_temperature_check', 'pass', id)),
      }),
  },
  'page of 50 issues': {
    procedure: 'issues.list',
    batched: true,
    saves: false,
    input: () => ({ filter: { statuses: ['open'] }, limit: 50 }),
  },
  counts: { procedure: 'issues.counts', batched: true, saves: false, input: () => ({ filter: {} }) },
  me: { procedure: 'session.me', batched: false, saves: false, input: () => undefined },
  'year of a log': {
    procedure: 'checks.logYear',
    batched: true,
    saves: false,
    input: ({ logged, year }, n) => ({ kind: 'fire_alarm_test', year, buildingId: turn(logged, n) }),
  },
};

/** Spreads visits over buildings and days, because in practice no period has hundreds of visits. */
function visitAt(sites: CallPlaces['sites'], n: number) {
  const now = new Date().toISOString();
  const back = (Math.floor(n / sites.length) * 7) % DAYS_BACK;
  return { buildingId: turn(sites, n).id, now, visitDate: addDays(now.slice(0, 10), -back) };
}

function turn<T>(all: readonly T[], n: number): T {
  const one = all[n % all.length];
  if (one === undefined) throw new Error('the population lacks what the call is about');
  return one;
}
