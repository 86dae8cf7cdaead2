import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { dayOf } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { archiveIds } from '#shared/features/documents/document-archive.ts';
import { type Actor, actorOf } from '../../access/actor.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import { type ArchiveEntry, readArchive, seesBuilding } from '../../features/documents/archive.queries.ts';
import { storeOf } from '../../features/files/store-of.ts';
import type { Services } from '../../kernel/context.ts';
import { isBusy } from '../../kernel/database-errors.ts';
import { readTimeZone } from '../../kernel/settings.ts';
import { ConcurrencyLimit } from '../concurrency.ts';
import { goneSignal } from '../gone-signal.ts';
import { logUnexpected, sendError } from '../refusal.ts';
import { permittedActor } from '../request-actor.ts';
import { contentDisposition } from './content-disposition.ts';
import type { Downloads } from './downloads.ts';
import { type ZipEntry, zipOf } from './zip.ts';

/** Archives that one person may download at the same time. */
const AT_ONCE = 2;

/** Documents and folders as one ZIP file, streamed while it is made: `/files/documents/archive?ids=…`. */
export function mountDocumentArchive(app: FastifyInstance, services: Services, downloads: Downloads): void {
  const limit = new ConcurrencyLimit(AT_ONCE);

  app.get<{ Querystring: { ids?: unknown } }>('/files/documents/archive', async (request, reply) => {
    try {
      const actor = await permittedActor(services, request, 'view_logbook');
      const ids = archiveIds(request.query.ids);
      if (ids === undefined) throw new AppError('invalid', { data: { fields: {} } });
      // The place is taken before the entries are read, and released only after the reading, even if the caller leaves: for small
      // files the reading is the larger part of the work.
      const release = limit.take(actor.userId);
      if (release === undefined) throw new AppError('busy');
      const read = services.reads.run(
        actor.userId,
        () => readArchive(services.db, actor, ids),
        goneSignal(reply),
      );
      const entries = await read.catch((error: unknown) => {
        release();
        throw error;
      });
      if (reply.raw.destroyed) {
        release();
        return reply;
      }
      reply.raw.once('close', release);
      // Access to each file is checked before it is opened; this watch ends a file that is being sent.
      downloads.watch(reply, actor.userId, async () => {
        const now = await permittedActor(services, request, 'view_logbook');
        for (const id of new Set(entries.map(({ buildingId }) => buildingId)))
          if (!(await seesBuilding(services.db, now, id))) throw new AppError('forbidden');
      });
      const name =
        folderNameIn(entries) ?? `documents-${dayOf(services.clock.now(), await readTimeZone(services.db))}`;
      reply
        .type('application/zip')
        .header('cache-control', 'no-store')
        .header('x-content-type-options', 'nosniff')
        .header('content-disposition', contentDisposition(`${name}.zip`, false));
      const zip = archiveOf(services, actor, entries);
      zip.once('error', (error) => logUnexpected(error, request));
      return reply.send(zip);
    } catch (error) {
      if (error instanceof AppError) return sendError(request, reply, error);
      if (isBusy(error)) return sendError(request, reply, new AppError('busy', { cause: error }));
      throw error;
    }
  });
}

/** The name of the folder that contains everything; undefined if several documents are at the top. */
function folderNameIn(entries: readonly ArchiveEntry[]): string | undefined {
  const [first = ''] = (entries[0]?.path ?? '').split('/', 1);
  const isAll = entries.every(({ path }) => path.startsWith(`${first}/`));
  return isAll && first !== '' ? first : undefined;
}

/**
 * The bytes of an archive. One file is open at a time. If a file is missing, or the person loses access in the meantime, the
 * download breaks off, so that an incomplete archive never looks complete.
 */
function archiveOf(services: Services, actor: Actor, entries: readonly ArchiveEntry[]): Readable {
  function* zipped(): Generator<ZipEntry, void, undefined> {
    for (const { path, buildingId, modifiedAt, file } of entries) {
      const opened = file && {
        bytes: file.bytes,
        open: () => openFile(services, actor, buildingId, file),
      };
      yield { path, modifiedAt: new Date(modifiedAt), file: opened };
    }
  }
  // A byte stream, not an object stream, which would write each piece to the connection by itself, however small.
  return withErrorListener(Readable.from(zipOf(zipped()), { objectMode: false }));
}

async function openFile(
  services: Services,
  { sessionId }: Actor,
  buildingId: string,
  stored: NonNullable<ArchiveEntry['file']>,
): Promise<Readable> {
  const { db, sessions } = services;
  const session = await sessions.validateById(sessionId);
  if (session === undefined || !(await seesBuilding(db, actorOf(session), buildingId))) {
    throw new AppError('forbidden');
  }
  const file = await storeOf(services, stored).storage.get(stored.key);
  if (file === undefined) throw new Error(`the file ${stored.key} is missing`);
  return file.stream;
}
