import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { BLOB, isShown, plainType } from '../../features/files/content-type.ts';
import type { FileRow } from '../../features/files/files.writes.ts';
import { storeOf } from '../../features/files/store-of.ts';
import type { Services } from '../../kernel/context.ts';
import { byteRangeOf } from './byte-range.ts';

/** If a file is opened as a page of its own, nothing in it runs, and it loads nothing. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; frame-ancestors 'self'";
const PDF = 'application/pdf';

/**
 * Answers a GET or HEAD with a stored file, or the requested range of it. The caller has checked that this person may
 * read it.
 * @param disposition the header that says whether it is shown or downloaded, and under which name
 * @throws AppError `not_found` if its bytes are missing or of another length, which is logged
 */
export async function sendStoredFile(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { file, disposition }: { file: FileRow; disposition: string },
): Promise<FastifyReply> {
  const etag = `"${file.sha256}"`;
  describe(reply, file, etag).header('content-disposition', disposition);
  if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const condition = request.headers['if-range'];
  const wanted = condition === undefined || condition === etag ? request.headers.range : undefined;
  const range = byteRangeOf(wanted, file.bytes);
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${file.bytes}`).send();
  }
  const { storage } = storeOf(services, file);
  const isHead = request.method === 'HEAD';
  const opened = isHead ? undefined : await storage.get(file.key, range);
  const found = isHead ? await storage.head(file.key) : opened;
  if (found === undefined || found.bytes !== file.bytes) {
    opened?.stream.destroy();
    request.log.error({ file: file.id, store: file.store }, 'the bytes of a file are missing');
    throw new AppError('not_found');
  }
  const length = range === undefined ? file.bytes : range.end - range.start + 1;
  reply.header('content-length', length);
  if (range !== undefined) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`);
  }
  return reply.send(opened?.stream);
}

function describe(reply: FastifyReply, file: FileRow, etag: string): FastifyReply {
  const type = plainType(file.contentType);
  return (
    reply
      // So a browser never takes an upload for a script, a style or a page.
      .type(isShown(file.contentType) ? file.contentType : BLOB)
      .header('etag', etag)
      .header('accept-ranges', 'bytes')
      // Cached but revalidated each time, because access may have been lost since.
      .header('cache-control', 'private, no-cache')
      // Chromium shows no PDF in a sandbox; its viewer runs none of a page's scripts.
      .header('content-security-policy', type === PDF ? POLICY : `sandbox; ${POLICY}`)
      .header('x-frame-options', 'SAMEORIGIN')
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
  );
}

/** Returns whether an `If-None-Match` names this tag. */
function namesTag(header: string | undefined, etag: string): boolean {
  return (
    header?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*') ?? false
  );
}
