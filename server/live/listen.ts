import type { FastifyBaseLogger } from 'fastify';
import type { Sql } from 'postgres';
import postgres from '#db/driver.ts';

export const CHANNEL = 'lintel';
/** A notification of the watchdog's; the others name the newest position, or are a note as JSON. */
const BEAT = 'beat';

export type Listener = {
  start(): void;
  /** Since anything was last heard on the connection, in ms. */
  silentMs(): number;
  stop(): Promise<void>;
};

/**
 * Hears of new events on a connection of its own (rule R1), and watches that connection (rule R2): a half-open one
 * stays silent for ever, so a beat is published on another way, and a connection that does not hear it is replaced.
 * @param options.publish sends a notification through the pool
 */
export function createListener(options: {
  databaseUrl: string;
  publish: (channel: string, payload: string) => Promise<unknown>;
  /** There may be something to read: up to this position, where it is known. */
  onNotify: (upTo?: number) => void;
  /** Somebody said something that is not of the record. */
  onNote: (payload: string) => void;
  log: Pick<FastifyBaseLogger, 'warn'>;
  monotonicMs?: () => number;
  beatMs?: number;
  silenceMs?: number;
}): Listener {
  const { databaseUrl, publish, onNotify, onNote, log } = options;
  const { monotonicMs = () => performance.now(), beatMs = 5_000, silenceMs = 12_000 } = options;
  let connection: Sql | undefined;
  let heardAt = monotonicMs();
  let timers: NodeJS.Timeout[] = [];

  function open(): void {
    const mine = postgres(databaseUrl, {
      max: 1,
      connect_timeout: Math.ceil(silenceMs / 1_000),
      onnotice: () => undefined,
      connection: { application_name: 'lintel listen' },
    });
    connection = mine;
    heardAt = monotonicMs();
    const heard = (payload: string) => {
      if (connection !== mine) return;
      heardAt = monotonicMs();
      if (payload === BEAT) return;
      if (payload.startsWith('{')) onNote(payload);
      else onNotify(/^\d+$/.test(payload) ? Number(payload) : undefined);
    };
    // At each (re)connection too: what was said meanwhile was said to nobody.
    mine
      .listen(CHANNEL, heard, () => heard(''))
      .catch((error: unknown) => log.warn({ err: error }, 'the connection that listens could not be opened'));
  }

  function close(): Promise<void> {
    const old = connection;
    connection = undefined;
    return old === undefined ? Promise.resolve() : old.end({ timeout: 0 });
  }

  function beat(): void {
    publish(CHANNEL, BEAT).catch((error: unknown) => log.warn({ err: error }, 'the beat could not be sent'));
  }

  function check(): void {
    const silentMs = monotonicMs() - heardAt;
    if (silentMs <= silenceMs) return;
    log.warn({ silentMs: Math.round(silentMs) }, 'the connection that listens is replaced');
    close().catch((error: unknown) => log.warn({ err: error }, 'a silent connection could not be closed'));
    open();
  }

  return {
    start() {
      open();
      timers = [setInterval(beat, beatMs), setInterval(check, Math.min(1_000, beatMs))];
      for (const timer of timers) timer.unref();
    },
    silentMs: () => monotonicMs() - heardAt,
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await close();
    },
  };
}
