import type { FastifyInstance, FastifyReply } from 'fastify';
import { withTimeout } from '../adapters/with-timeout.ts';
import type { Services } from '../kernel/context.ts';
import { hasRoomToSave } from '../kernel/disk-room.ts';

const DATABASE_WITHIN_MS = 2_000;
/**
 * Limits of health in seconds. The reader queries every second. Beats arrive every 5 s, and after 12 s without one the listener
 * reconnects; a process whose listener recovers in this way stays ready.
 */
const READ_AGE_MAX_SECONDS = 10;
const SILENCE_MAX_SECONDS = 20;

type Parts = Pick<Services, 'clockHealth' | 'disk' | 'env' | 'saves'>;
type State = {
  /** True once the server has begun to stop. */
  draining(): boolean;
  /** Metrics of the server's parts, by name. */
  figures(): Record<string, number>;
};

/** `/livez`: the process responds. `/readyz`: it can serve. */
export function mountHealth(app: FastifyInstance, services: Parts, state: State): void {
  app.get('/livez', (_request, reply) => text(reply, 200, 'ok\n'));

  app.get('/readyz', async (_request, reply) => {
    const problem = await findProblem(services, state);
    if (problem !== undefined) return text(reply, 503, `${problem}\n`);
    const doubt = services.clockHealth.doubt();
    if (doubt === undefined) return text(reply, 200, 'ok\n');
    // Commands continue, so the process still gets clients.
    return text(reply, 200, `ok, but timed jobs wait, because the clock is in doubt: ${doubt}\n`);
  });
}

/** Returns why this process cannot serve; undefined if it can. */
export async function findProblem(
  services: Parts,
  { draining, figures }: State,
): Promise<string | undefined> {
  if (draining()) return 'stopping';
  const canSave = await tryQuery(services.saves.canSave());
  if (canSave === undefined) return 'no database';
  if (!canSave || !(await hasRoomToSave(services, 'records'))) return 'saves cannot be written';
  return problemOfLive(figures());
}

/**
 * Returns why this process should get no clients for the live stream; undefined if all is well or there is no stream.
 */
export function problemOfLive(figures: Record<string, number>): string | undefined {
  const { halted = 0, read_age_seconds = 0, listen_silence_seconds = 0 } = figures;
  if (halted > 0) return 'a hole in the event log';
  if (read_age_seconds > READ_AGE_MAX_SECONDS) return 'events are not read';
  return listen_silence_seconds > SILENCE_MAX_SECONDS ? 'notifications are not heard' : undefined;
}

/** The result of a query about the state of the server; undefined if it fails or takes too long. */
export function tryQuery<T>(query: Promise<T>): Promise<T | undefined> {
  return withTimeout(DATABASE_WITHIN_MS, query).catch(() => undefined);
}

function text(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(body);
}
