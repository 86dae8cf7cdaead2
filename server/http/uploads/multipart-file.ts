import { PassThrough, type Readable, type Writable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';

/** Size of the buffer between the socket and the writer, so that neither waits for the other at every piece. */
const BUFFER_BYTES = 256 * 1024;

/**
 * Returns the bytes of an upload as a stream: the file of a form with one part, as UploadThing's client sends it, or the whole
 * body of any other type. The stream fails if the sender leaves. It ends early if a form breaks off before its closing
 * boundary; the caller detects this by the announced size. Destroying the stream does not end the connection.
 * @throws AppError `invalid` for a form that does not begin with a file
 */
export function fileOf(request: FastifyRequest<{ Body: Readable | undefined }>): Promise<Readable> {
  const { body, headers } = request;
  const type = headers['content-type'] ?? '';
  const isForm = /^multipart\/form-data\b/i.test(type);
  if (body === undefined || !isForm) {
    const bytes = withErrorListener(new PassThrough({ highWaterMark: BUFFER_BYTES }));
    if (body === undefined) bytes.end();
    else forward(body, bytes, (error) => bytes.destroy(error));
    return Promise.resolve(bytes);
  }
  return new Promise((resolve, reject) => {
    const invalid = (cause?: unknown) => reject(new AppError('invalid', { data: { fields: {} }, cause }));
    let parser: BusboyInstance;
    try {
      const limits = { files: 1, fields: 0, parts: 1, headerPairs: 20, headerSize: 8 * 1024 };
      parser = new Busboy({ headers: { ...headers, 'content-type': type }, limits, fileHwm: BUFFER_BYTES });
    } catch (error) {
      invalid(error);
      return;
    }
    let file: Readable | undefined;
    // Without a file, both events reject the promise. After a file, they do nothing: after an error of its own, the parser ends
    // the file's stream, and the bytes that have arrived can be read.
    parser.on('error', invalid).once('finish', invalid);
    parser.once('file', (_name, stream) => {
      file = withErrorListener(stream);
      resolve(stream);
    });
    forward(body, parser, (error) => {
      parser.destroy(error);
      file?.destroy(error);
      invalid(error);
    });
  });
}

/** Pipes a body, and never destroys it, because its connection must still carry the answer. */
function forward(body: Readable, into: Writable, cut: (error: Error) => void): void {
  const onCut = () => cut(new Error('the sender left'));
  body.once('aborted', onCut).once('error', onCut).pipe(into);
}
