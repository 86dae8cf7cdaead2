import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { backupFigures, readBackupHealth } from '../features/backups/backup-health.queries.ts';
import { unfinishedPhotos } from '../features/photos/photo-quota.ts';
import { webhookFigures } from '../features/webhooks/webhooks.queries.ts';
import type { Services } from '../kernel/context.ts';
import { bearerOf } from './bearer.ts';
import { findProblem, tryQuery } from './health.ts';
import { isLocal } from './is-local.ts';
import { METRICS, PREFIX } from './metric-names.ts';

/** Upper bounds in seconds: most calls take a few milliseconds, and people notice a tenth of a second. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * `/metrics`: figures in Prometheus' text format, for requests from this machine that came through no proxy, and for those with
 * the token of `METRICS_TOKEN`. Counts every request from then on.
 * @param state as for `mountHealth`
 */
export function mountMetrics(
  app: FastifyInstance,
  services: Services,
  state: { draining(): boolean; figures(): Record<string, number> },
): void {
  const registry = new Registry();
  const durations = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const gauges = new Map(
    Object.entries(METRICS).map(([name, help]) => [
      name,
      new Gauge({ name: `${PREFIX}${name}`, help, registers: [registry] }),
    ]),
  );
  let hasDefaults = false;

  app.addHook('onResponse', async (request, reply) => {
    // The route as declared, never the address, because each value of a label makes a separate series.
    const route = request.routeOptions.url ?? 'none';
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    durations.observe(labels, reply.elapsedTime / 1_000);
  });

  app.get('/metrics', async (request, reply) => {
    reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8');
    const { metricsToken } = services.env;
    if (!isLocal(request) && !hasToken(request, metricsToken)) {
      if (metricsToken === undefined) return reply.code(404).send('Not found\n');
      reply.header('www-authenticate', 'Bearer realm="Lintel metrics"');
      return reply.code(401).send('The token of METRICS_TOKEN is needed\n');
    }
    // Only from the first request on, because default metrics observe the event loop and the garbage collector.
    if (!hasDefaults) collectDefaultMetrics({ register: registry, prefix: PREFIX });
    hasDefaults = true;
    const figures = { ...(await readFigures(services, state)), logged_errors: app.loggedErrors.count };
    // No `await` between clearing and setting the values, because two requests may read at the same time.
    for (const gauge of gauges.values()) gauge.remove();
    for (const [name, value] of Object.entries(figures)) {
      const gauge = gauges.get(name);
      if (gauge === undefined) throw new Error(`the metric ${name} has no description`);
      gauge.set(value);
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

async function readFigures(
  services: Services,
  state: Parameters<typeof mountMetrics>[2],
): Promise<Record<string, number>> {
  const { db, env, clock, clockHealth, disk, reads, commands } = services;
  const [problem, left, backups, hooks, unfinished] = await Promise.all([
    findProblem(services, state),
    disk.left(),
    // A failed query must not prevent the answer: other metrics are needed most while the database is unreachable.
    tryQuery(readBackupHealth(db, env, clock.now())),
    tryQuery(webhookFigures(db)),
    tryQuery(unfinishedPhotos(db)),
  ]);
  return {
    ready: problem === undefined ? 1 : 0,
    ...state.figures(),
    ...clockHealth.figures(),
    reads_waiting: reads.waiting(),
    commands_waiting: commands.waiting(),
    disk_free_bytes: left,
    disk_floor_bytes: disk.floor,
    ...(backups && backupFigures(backups, clock.now())),
    ...hooks,
    ...(unfinished && { photos_unfinished: unfinished.count, photos_unfinished_bytes: unfinished.bytes }),
  };
}

function hasToken(request: FastifyRequest, token: string | undefined): boolean {
  const given = bearerOf(request);
  if (token === undefined || given === undefined) return false;
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}
