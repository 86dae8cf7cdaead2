import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { backupFigures, readBackupHealth } from '../features/backups/backup-health.queries.ts';
import { unfinishedPhotos } from '../features/photos/photo-quota.ts';
import type { Services } from '../kernel/context.ts';
import { hasRoomToSave } from '../kernel/disk-room.ts';

const DATABASE_WITHIN_MS = 2_000;
/**
 * Limits of health in seconds. The reader queries every second; beats arrive every five, and after twelve without one
 * the listener reconnects.
 */
const READ_AGE_MAX_SECONDS = 10;
const SILENCE_MAX_SECONDS = 10;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/**
 * `/livez`: the process responds. `/readyz`: it can serve. `/metrics`: metrics for monitoring on the same machine.
 * @param state.draining true once the server has begun to stop
 * @param state.figures metrics of the server's parts, by name
 */
export function mountHealth(
  app: FastifyInstance,
  services: Pick<Services, 'clock' | 'clockHealth' | 'db' | 'disk' | 'env' | 'saves'>,
  state: { draining(): boolean; figures(): Record<string, number> },
): void {
  app.get('/livez', (_request, reply) => text(reply, 200, 'ok\n'));

  app.get('/readyz', async (_request, reply) => {
    if (state.draining()) return text(reply, 503, 'stopping\n');
    const canSave = await answerOf(services.saves.canSave());
    if (canSave === undefined) return text(reply, 503, 'no database\n');
    if (!canSave || !(await hasRoomToSave(services, 'records')))
      return text(reply, 503, 'saves cannot be written\n');
    const problem = problemOfLive(state.figures());
    if (problem !== undefined) return text(reply, 503, `${problem}\n`);
    const doubt = services.clockHealth.doubt();
    if (doubt === undefined) return text(reply, 200, 'ok\n');
    // Commands go on, so the process still gets clients.
    return text(reply, 200, `ok, but timed jobs wait, because the clock is in doubt: ${doubt}\n`);
  });

  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request)) return text(reply, 404, 'Not found\n');
    const memory = process.memoryUsage();
    const [left, backups, unfinished] = await Promise.all([
      services.disk.left(),
      answerOf(readBackupHealth(services.db, services.env, services.clock.now())),
      // Other metrics are needed most while the database is unreachable.
      answerOf(unfinishedPhotos(services.db)),
    ]);
    const figures = {
      ...state.figures(),
      ...services.clockHealth.figures(),
      process_resident_memory_bytes: memory.rss,
      process_heap_used_bytes: memory.heapUsed,
      process_uptime_seconds: process.uptime(),
      disk_free_bytes: left,
      disk_floor_bytes: services.disk.floor,
      ...(backups && backupFigures(backups, services.clock.now())),
      ...(unfinished && {
        photos_unfinished: unfinished.count,
        photos_unfinished_bytes: unfinished.bytes,
      }),
    };
    const lines = Object.entries(figures).map(([name, value]) => `lintel_${name} ${value}\n`);
    return text(reply, 200, lines.join(''));
  });
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

/** The result of a query; undefined if it fails or takes too long. */
async function answerOf<T>(query: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), DATABASE_WITHIN_MS);
  });
  const result = await Promise.race([query.catch(() => undefined), late]);
  clearTimeout(timer);
  return result;
}

/** Headers that proxies add, under any of the names used for the sender's address. */
const FORWARDING =
  /forward|(client|real|remote|source|user)[-_]?(ip|addr)|^(via|cdn-loop|max-forwards|x-varnish|x-host|front-end-https)$|^(x-original|x-envoy|x-amz|x-azure|cf|fastly|fly)-/;
const LOCAL_HOST = /^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?$/i;

/**
 * Tells whether a request comes from this machine and not through a proxy on it. A proxy that adds no header is often
 * recognisable by HTTP/1.0, nginx's default.
 */
function isLocal({ socket, headers, raw }: FastifyRequest): boolean {
  return (
    raw.httpVersion !== '1.0' &&
    raw.headersDistinct['host']?.length === 1 &&
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    LOCAL_HOST.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => FORWARDING.test(name))
  );
}

function text(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(body);
}
