import type { FastifyBaseLogger } from 'fastify';
import type { Sql } from 'postgres';
import postgres from '#db/driver.ts';

export const CHANNEL = 'lintel';
/** The payload of the watchdog's own notification; others contain the newest position, or a presence note as JSON. */
const BEAT = 'beat';

export type Listener = {
  start(): void;
  /** Time since anything was received on the connection, in ms. */
  silentMs(): number;
  stop(): Promise<void>;
};

/**
 * Listens for notifications of new events on a connection of its own (rule R1), and watches that connection (rule R2). A
 * half-open connection stays silent for ever. So a beat is published through another connection, and a connection that does
 * not receive the beat is replaced.
 * @param options.publish sends a notification through the pool
 */
export function createListener(options: {
  databaseUrl: string;
  publish: (channel: string, payload: string) => Promise<unknown>;
  /** New events may exist, up to this position if it is known. */
  onNotify: (upTo?: number) => void;
  /** A notification that is not about the event log has arrived. */
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
    // Also called at each (re)connection, because notifications from the time without a connection are lost.
    mine
      .listen(CHANNEL, heard, () => heard(''))
      .catch((error: unknown) => log.warn({ err: error }, 'the LISTEN connection could not be opened'));
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
    log.warn({ silentMs: Math.round(silentMs) }, 'the LISTEN connection is replaced');
    close().catch((error: unknown) =>
      log.warn({ err: error }, 'a silent LISTEN connection could not be closed'),
    );
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
