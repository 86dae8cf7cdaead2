import { CALL_KINDS, CALL_NAMES, type CallName } from './call-kinds.ts';
import { type Figure, median, round } from './figure.ts';
import type { Ran } from './processes/caller.ts';
import type { TripsOfCall } from './round-trips.ts';

/** One run of a call, with the processor time of each call. */
export type Measured = Ran & {
  call: CallName;
  server: 'lintel' | 'plain';
  callers: number;
  serverMs: number;
  postgresMs: number;
};
type Goals = {
  /** Processor time of server and Postgres, as a multiple of the reference. */
  cpu?: number;
  roundTrips?: number;
  statements?: number;
  /** Calls a second by 32 callers, as a share of the reference. */
  rate?: number;
};

const GOALS: Readonly<Partial<Record<CallName, Goals>>> = {
  comment: { cpu: 3, roundTrips: 5, statements: 10, rate: 0.35 },
  'move of a card': { cpu: 3 },
  'fire alarm test': { cpu: 3, roundTrips: 8, statements: 17 },
  'page of 50 issues': { cpu: 2, roundTrips: 3, statements: 5 },
  counts: { cpu: 2 },
  me: { cpu: 2 },
};
/** The time of a save by one caller, as a multiple of the reference. */
const SAVE_TIMES = 2;
const COMMENTS_A_SECOND = 500;
/** Processor time is measured with this number of callers, so that many calls share the fixed work of each second. */
const CALLERS_OF_CPU = 8;

/** The figures of each call: processor time, time of one caller, rate of many, and round trips to Postgres. */
export function callFigures(
  found: readonly Measured[],
  trips: Readonly<Record<Measured['server'], ReadonlyMap<CallName, TripsOfCall>>>,
): Figure[] {
  return CALL_NAMES.flatMap((name) => {
    const goals = GOALS[name] ?? {};
    const of = (server: Measured['server'], callers: number, what: Quantity) =>
      median(
        found
          .filter((run) => run.call === name && run.server === server && run.callers === callers)
          .map((run) => run[what]),
      );
    const counted = { lintel: trips.lintel.get(name), plain: trips.plain.get(name) };
    return [
      ...processorTime(name, of, goals.cpu),
      oneCaller(name, of),
      manyCallers(name, of, goals.rate),
      ...traffic(name, counted, goals),
    ];
  });
}

type Quantity = Exclude<keyof Measured, 'server' | 'call'>;
type Of = (server: Measured['server'], callers: number, what: Quantity) => number;

/** Empty where the system does not report processor time. */
function processorTime(name: CallName, of: Of, atMost: number | undefined): Figure[] {
  const at = (server: Measured['server']) => {
    const own = of(server, CALLERS_OF_CPU, 'serverMs');
    const postgres = of(server, CALLERS_OF_CPU, 'postgresMs');
    return { all: own + postgres, text: `${round(own)} + Postgres ${round(postgres)} ms` };
  };
  const lintel = at('lintel');
  const plain = at('plain');
  if (Number.isNaN(lintel.all)) return [];
  return [
    {
      name: `call, ${name}: processor time`,
      measured: `${round(lintel.all)} ms: server ${lintel.text}`,
      reference: `${round(plain.all)} ms: server ${plain.text}`,
      value: lintel.all / plain.all,
      unit: '×',
      ...(atMost === undefined ? {} : { goal: { atMost } }),
    },
  ];
}

function oneCaller(name: CallName, of: Of): Figure {
  const times = (server: Measured['server']) =>
    `p50 ${round(of(server, 1, 'p50'))} ms, p95 ${round(of(server, 1, 'p95'))} ms`;
  const bytes = (server: Measured['server']) =>
    `${Math.round(of(server, 1, 'sent'))} B sent and ${Math.round(of(server, 1, 'received'))} B received`;
  return {
    name: `call, ${name}: one caller`,
    measured: times('lintel'),
    reference: times('plain'),
    value: of('lintel', 1, 'p50') / of('plain', 1, 'p50'),
    unit: '×',
    ...(CALL_KINDS[name].saves ? { goal: { atMost: SAVE_TIMES } } : {}),
    note: `${bytes('lintel')} a call, against ${bytes('plain')}`,
  };
}

function manyCallers(name: CallName, of: Of, atLeast: number | undefined): Figure {
  const perSecond = (server: Measured['server']) =>
    [1, 8, 32].map((callers) => round(of(server, callers, 'perSecond'))).join(', ');
  const rate = of('lintel', 32, 'perSecond');
  return {
    name: `call, ${name}: 32 callers`,
    measured: `${perSecond('lintel')} a second by 1, 8, 32`,
    reference: `${perSecond('plain')} a second`,
    value: rate / of('plain', 32, 'perSecond'),
    unit: '×',
    ...(atLeast === undefined
      ? {}
      : {
          goal: { atLeast },
          note: `${round(rate)} a second by 32 callers; at least ${COMMENTS_A_SECOND}: ${rate >= COMMENTS_A_SECOND ? 'yes' : 'NO'}`,
        }),
  };
}

/** Round trips and statements between server and Postgres. Those of the stream are in the note. */
function traffic(
  name: CallName,
  { lintel, plain }: Record<Measured['server'], TripsOfCall | undefined>,
  goals: Goals,
): Figure[] {
  if (lintel === undefined || plain === undefined) throw new Error(`${name} was not counted`);
  const figure = (title: string, what: 'roundTrips' | 'statements', atMost: number | undefined): Figure => ({
    name: `call, ${name}: ${title}`,
    measured: `${round(lintel.calls[what])}`,
    reference: `${round(plain.calls[what])}`,
    value: lintel.calls[what],
    unit: '',
    ...(atMost === undefined ? {} : { goal: { atMost } }),
  });
  return [
    {
      ...figure('round trips', 'roundTrips', goals.roundTrips),
      note: `and of the stream ${round(lintel.stream.roundTrips)}, with ${round(lintel.stream.statements)} statements`,
    },
    figure('statements', 'statements', goals.statements),
  ];
}
