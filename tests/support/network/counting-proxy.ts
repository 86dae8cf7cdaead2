import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { postgresMessages } from '../postgres/postgres-messages.ts';

/** The traffic between a server and Postgres. */
export type Traffic = {
  /** Statements that Postgres completed. */
  statements: number;
  /** How often the server sent something after Postgres had reported that it is ready. Each time costs one network latency. */
  roundTrips: number;
};
/** The traffic of calls, and of everything else: the stream's own connections, and sequencing. */
export type Counted = { calls: Traffic; stream: Traffic };

export type CountingProxy = {
  port: number;
  /** Returns the counts since the last call of this function. */
  take(): Counted;
  /** Statements sent and not completed. */
  unanswered(): number;
  close(): Promise<void>;
};

type Part = keyof Counted;
/** Returns the part that a statement belongs to, by its connection's `application_name` and its text. */
type Classify = (applicationName: string, text: string) => Part;

/** Statements of sequencing, of the check for events left behind, and of the clock: they share the pool with the calls. */
const OF_NO_CALL = /sequence_events\(\)|cardinality\(outbox_waiting|from clock_timestamp\(\)\) \* 1000/;

/**
 * Recognises the traffic of calls by their connections.
 * @param pools the `application_name` of the pools that run calls
 */
export function partOf(pools: readonly string[]): Classify {
  return (applicationName, text) =>
    pools.includes(applicationName) && !OF_NO_CALL.test(text) ? 'calls' : 'stream';
}

/** A proxy in front of Postgres that understands enough of the protocol to count statements and round trips. */
export async function startCountingProxy(target: number, classify: Classify): Promise<CountingProxy> {
  let counted = nothing();
  const open = new Set<Socket>();
  const underWay = new Set<readonly unknown[]>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    const connection = follow(classify, (part, what) => {
      counted[part][what] += 1;
    });
    underWay.add(connection.sent);
    near.on('close', () => underWay.delete(connection.sent));
    for (const [socket, other, read] of [
      [near, far, connection.server],
      [far, near, connection.postgres],
    ] as const) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('data', (chunk: Buffer) => {
        read(chunk);
        other.write(chunk);
      });
      // The side that breaks first closes the other.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast: a listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    take() {
      const taken = counted;
      counted = nothing();
      return taken;
    },
    unanswered: () => [...underWay].reduce((all, sent) => all + sent.length, 0),
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function nothing(): Counted {
  return { calls: { statements: 0, roundTrips: 0 }, stream: { statements: 0, roundTrips: 0 } };
}

/** Follows one connection: a reader of the bytes in each direction. */
function follow(classify: Classify, count: (part: Part, what: keyof Traffic) => void) {
  let applicationName = '';
  /** Whether the last message is Postgres's report that it is ready. */
  let ready = false;
  const prepared = new Map<string, Part>();
  let bound: Part = 'calls';
  /** Statements sent and not yet completed. A simple query may contain several. */
  const sent: { part: Part; simple: boolean }[] = [];

  function spoken(part: Part): void {
    if (ready) count(part, 'roundTrips');
    ready = false;
  }

  function fromServer(type: string, body: Buffer): void {
    if (type === 'P') {
      const [name = '', text = ''] = texts(body, 2);
      const part = classify(applicationName, text);
      prepared.set(name, part);
      spoken(part);
    } else if (type === 'B') {
      const [, name = ''] = texts(body, 2);
      bound = prepared.get(name) ?? 'calls';
      spoken(bound);
    } else if (type === 'E') {
      sent.push({ part: bound, simple: false });
    } else if (type === 'Q') {
      const part = classify(applicationName, texts(body, 1)[0] ?? '');
      sent.push({ part, simple: true });
      spoken(part);
    }
  }

  function fromPostgres(type: string): void {
    const [first] = sent;
    if (type === 'C' || type === 'I') {
      count(first?.part ?? 'calls', 'statements');
      if (first?.simple === false) sent.shift();
    } else if (type === 'E') {
      if (first?.simple === false) sent.shift();
    } else if (type === 'Z') {
      if (first?.simple === true) sent.shift();
      ready = true;
    }
  }

  return {
    sent,
    server: postgresMessages({
      onFirst(_bytes, body) {
        const words = texts(body.subarray(4), Number.POSITIVE_INFINITY);
        applicationName = words[words.indexOf('application_name') + 1] ?? '';
      },
      onMessage: fromServer,
    }),
    postgres: postgresMessages({ onMessage: fromPostgres }),
  };
}

/** The first texts of a message, each ended by a zero. */
function texts(body: Buffer, most: number): string[] {
  const found: string[] = [];
  for (let from = 0; from < body.length && found.length < most; ) {
    const end = body.indexOf(0, from);
    if (end === -1) break;
    found.push(body.toString('utf8', from, end));
    from = end + 1;
  }
  return found;
}
