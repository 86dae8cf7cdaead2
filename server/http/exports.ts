import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { dayOf } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import type { Services } from '../context.ts';
import { isBusy } from '../database-errors.ts';
import { enabledChecks } from '../features/checks/enabled-checks.ts';
import { csvOf } from '../features/exports/csv.ts';
import { EXPORTS } from '../features/exports/exports.ts';
import { refuse } from './refusal.ts';
import { permittedActor } from './request-actor.ts';

/** Files that one person may have on the way at a time. */
const AT_ONCE = 2;
const FILTER_MAX = 4_000;

/** The lists as files: `/files/export/issues.csv?filter={…}`, page by page as they are read. */
export function mountExports(app: FastifyInstance, services: Services): void {
  const underWay = new Map<string, number>();

  async function* linesOf(
    first: IteratorResult<string, void>,
    rest: AsyncGenerator<string, void, undefined>,
    end: () => void,
  ): AsyncGenerator<string, void, undefined> {
    try {
      if (!first.done) yield first.value;
      yield* rest;
    } finally {
      end();
    }
  }

  app.get<{ Params: { list: string }; Querystring: { filter?: string } }>(
    '/files/export/:list.csv',
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const list = Object.hasOwn(EXPORTS, request.params.list) ? EXPORTS[request.params.list] : undefined;
      if (list === undefined) return refuse(request, reply, new AppError('not_found'));
      try {
        const actor = await permittedActor(services, request, list.permission);
        const now = services.clock.now();
        const filter = readFilter(request.query.filter);
        const count = underWay.get(actor.userId) ?? 0;
        if (count >= AT_ONCE) throw new AppError('busy');
        const reader = { db: services.db, actor, now, enabled: enabledChecks(services.env) };
        const lines = toLines(list.columns, list.rows(reader, filter));
        // What is refused is refused before the file begins.
        const first = await lines.next();
        underWay.set(actor.userId, (underWay.get(actor.userId) ?? 0) + 1);
        const end = () => {
          const left = (underWay.get(actor.userId) ?? 1) - 1;
          if (left > 0) underWay.set(actor.userId, left);
          else underWay.delete(actor.userId);
        };
        const name = `${request.params.list}-${dayOf(now)}.csv`;
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${name}"`)
          .send(Readable.from(linesOf(first, lines, end)));
      } catch (error) {
        if (error instanceof AppError) return refuse(request, reply, error);
        if (error instanceof z.ZodError || error instanceof SyntaxError) {
          return refuse(request, reply, new AppError('invalid', { data: { fields: {} } }));
        }
        if (isBusy(error)) return refuse(request, reply, new AppError('busy', { cause: error }));
        throw error;
      }
    },
  );
}

function readFilter(text: string | undefined): unknown {
  if (text === undefined) return {};
  if (typeof text !== 'string' || text.length > FILTER_MAX)
    throw new AppError('invalid', { data: { fields: {} } });
  return JSON.parse(text);
}

async function* toLines(
  columns: readonly string[],
  pages: AsyncGenerator<(string | number | null)[][], void, undefined>,
): AsyncGenerator<string, void, undefined> {
  let first = true;
  for await (const page of pages) {
    yield csvOf(first ? [columns, ...page] : page, { bom: first });
    first = false;
  }
  if (first) yield csvOf([columns], { bom: true });
}
