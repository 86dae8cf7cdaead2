import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { dayOf } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import type { Actor } from '../../access/actor.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import type { Gate } from '../../kernel/concurrency/gate.ts';
import type { Services } from '../../kernel/context.ts';
import { isBusy } from '../../kernel/database-errors.ts';
import type { ExportedList, Pages } from '../../kernel/lists/exported-list.ts';
import { readTimeZone } from '../../kernel/settings.ts';
import { ConcurrencyLimit } from '../concurrency.ts';
import { goneSignal } from '../gone-signal.ts';
import { sendError } from '../refusal.ts';
import { permittedActor } from '../request-actor.ts';
import { csvOf } from './csv.ts';
import type { Downloads } from './downloads.ts';
import { EXPORTED_LISTS } from './exported-lists.ts';

/** Exports that one person may download at the same time. */
const AT_ONCE = 2;
const FILTER_MAX = 4_000;

type Lines = AsyncGenerator<string, void, undefined>;

/** Lists as CSV files: `/files/export/issues.csv?filter={…}`, streamed page by page. */
export function mountExports(app: FastifyInstance, services: Services, downloads: Downloads): void {
  const limit = new ConcurrencyLimit(AT_ONCE);

  app.get<{ Params: { list: string }; Querystring: { filter?: string } }>(
    '/files/export/:list.csv',
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const list = Object.hasOwn(EXPORTED_LISTS, request.params.list)
        ? EXPORTED_LISTS[request.params.list]
        : undefined;
      if (list === undefined) return sendError(request, reply, new AppError('not_found'));
      try {
        const actor = await permittedActor(services, request, list.permission);
        const timeZone = await readTimeZone(services.db);
        const release = limit.take(actor.userId);
        if (release === undefined) throw new AppError('busy');
        const lines = linesOf(request, reply, list, { actor, timeZone, release });
        // Reads the first line before the response begins, so that a refusal still gets its own status.
        const first = await lines.next();
        downloads.watch(reply, actor.userId, async () => {
          const now = await permittedActor(services, request, list.permission);
          // The following pages are read with the role that the person had at the beginning.
          if (now.role !== actor.role) throw new AppError('forbidden');
        });
        const name = `${request.params.list}-${dayOf(services.clock.now(), timeZone)}.csv`;
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${name}"`)
          .send(withErrorListener(Readable.from(startingWith(first, lines))));
      } catch (error) {
        if (error instanceof AppError) return sendError(request, reply, error);
        if (error instanceof z.ZodError || error instanceof SyntaxError) {
          return sendError(request, reply, new AppError('invalid', { data: { fields: {} } }));
        }
        if (isBusy(error)) return sendError(request, reply, new AppError('busy', { cause: error }));
        throw error;
      }
    },
  );

  /** The lines of one file. Calls `release` when the response has ended in any way and the last read is finished. */
  function linesOf(
    request: FastifyRequest<{ Querystring: { filter?: string } }>,
    reply: FastifyReply,
    list: ExportedList,
    { actor, timeZone, release }: { actor: Actor; timeZone: string; release: () => void },
  ): Lines {
    const lines = (async function* () {
      const reader = { services, actor, timeZone };
      const pages = list.rows(reader, readFilter(request.query.filter));
      yield* toLines(list.columns, throughReadGate(pages, services.reads, actor.userId, goneSignal(reply)));
    })();
    // Waits for the page that is being read; a generator that never started ends at once.
    const end = () =>
      void lines
        .return()
        .catch(() => undefined)
        .finally(release);
    if (reply.raw.closed) end();
    else reply.raw.once('close', end);
    return lines;
  }
}

/** Reads each page through the gate, and leaves the gate before the page is sent. */
async function* throughReadGate(pages: Pages, reads: Gate, caller: string, gone: AbortSignal): Pages {
  try {
    for (;;) {
      const page = await reads.run(caller, () => pages.next(), gone);
      if (page.done) return;
      yield page.value;
    }
  } finally {
    await pages.return();
  }
}

async function* startingWith(first: IteratorResult<string, void>, rest: Lines): Lines {
  if (!first.done) yield first.value;
  yield* rest;
}

function readFilter(text: string | undefined): unknown {
  if (text === undefined) return {};
  if (typeof text !== 'string' || text.length > FILTER_MAX)
    throw new AppError('invalid', { data: { fields: {} } });
  return JSON.parse(text);
}

async function* toLines(columns: readonly string[], pages: Pages): Lines {
  let first = true;
  for await (const page of pages) {
    yield csvOf(first ? [columns, ...page] : page, { bom: first });
    first = false;
  }
  if (first) yield csvOf([columns], { bom: true });
}
