import type { PassThrough, Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import yazl from 'yazl';
import { dayOf } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { archiveIds } from '#shared/features/document-archive.ts';
import { type Actor, actorOf } from '../access/actor.ts';
import { withErrorListener } from '../adapters/with-error-listener.ts';
import { type ArchiveEntry, readArchive, seesBuilding } from '../features/documents/archive.queries.ts';
import { storeOf } from '../features/files/store-of.ts';
import type { Services } from '../kernel/context.ts';
import { isBusy } from '../kernel/database-errors.ts';
import { readTimeZone } from '../kernel/settings.ts';
import { forEachYielding } from '../kernel/yield-to-event-loop.ts';
import { ConcurrencyLimit } from './concurrency.ts';
import type { Downloads } from './downloads.ts';
import { goneSignal } from './gone-signal.ts';
import { logUnexpected, sendError } from './refusal.ts';
import { permittedActor } from './request-actor.ts';

/** Archives that one person may download at the same time. */
const AT_ONCE = 2;
/** Kinds whose bytes are compressed already: compressing them again costs time and saves nothing. */
const COMPRESSED =
  /^(image\/(?!svg|bmp|tiff|x-)|video\/|audio\/(?!wav|x-wav)|application\/(pdf|zip|gzip|x-7z-compressed|x-rar|vnd\.rar|vnd\.openxmlformats|vnd\.oasis))/;

/** Documents and folders as one ZIP file, streamed while it is made: `/files/documents/archive?ids=…`. */
export function mountDocumentArchive(app: FastifyInstance, services: Services, downloads: Downloads): void {
  const limit = new ConcurrencyLimit(AT_ONCE);

  app.get<{ Querystring: { ids?: unknown } }>('/files/documents/archive', async (request, reply) => {
    try {
      const actor = await permittedActor(services, request, 'view_logbook');
      const ids = archiveIds(request.query.ids);
      if (ids === undefined) throw new AppError('invalid', { data: { fields: {} } });
      // Taken before the reading, and held until it is over even if the caller leaves: where files are small, it is the
      // larger part of the work.
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
      // Each file is checked when its turn comes; this ends the one that is being sent.
      downloads.watch(reply, actor.userId, async () => {
        const now = await permittedActor(services, request, 'view_logbook');
        for (const id of new Set(entries.map(({ buildingId }) => buildingId)))
          if (!(await seesBuilding(services.db, now, id))) throw new AppError('forbidden');
      });
      const name = `documents-${dayOf(services.clock.now(), await readTimeZone(services.db))}.zip`;
      reply
        .type('application/zip')
        .header('cache-control', 'no-store')
        .header('x-content-type-options', 'nosniff')
        .header('content-disposition', `attachment; filename="${name}"`);
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

/**
 * The bytes of an archive. One file is open at a time. If a file is missing, or the person loses access meanwhile, the
 * download breaks off: an archive that looks complete is complete.
 */
function archiveOf(services: Services, actor: Actor, entries: readonly ArchiveEntry[]): Readable {
  const zip = new yazl.ZipFile();
  // The cast: it is a `PassThrough`, which its types do not say.
  const output = withErrorListener(zip.outputStream as PassThrough);
  let open: Readable | undefined;
  const fail = (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  output.once('close', () => open?.destroy());

  function add({ path, buildingId, modifiedAt, file }: ArchiveEntry): void {
    const mtime = new Date(modifiedAt);
    if (file === null) {
      zip.addEmptyDirectory(path, { mtime });
      return;
    }
    const options = { mtime, compress: !COMPRESSED.test(file.contentType), size: file.bytes };
    zip.addReadStreamLazy(path, options, (ready) => {
      openFile(services, actor, buildingId, file).then((stream) => {
        open = stream;
        if (output.destroyed) stream.destroy();
        else ready(null, stream.on('error', fail));
      }, fail);
    });
  }
  // Folders first: the library writes those that wait behind a file by calling itself for each, and thousands are more
  // than the stack takes.
  const isFolder = ({ file }: ArchiveEntry) => file === null;
  const ordered = [...entries.filter(isFolder), ...entries.filter((entry) => !isFolder(entry))];
  forEachYielding(ordered, add).then(() => zip.end(), fail);
  return output;
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
