import type { FastifyReply, FastifyRequest } from 'fastify';

/** If a picture were ever opened as a page, it could run nothing and load nothing. */
const PICTURE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/**
 * Answers with a thumbnail, a JPEG or WebP whose type was verified when it arrived.
 * @param sha256 the hash of the file from which it was made, hexadecimal
 */
export function sendThumbnail(
  request: FastifyRequest,
  reply: FastifyReply,
  { picture, sha256 }: { picture: Buffer; sha256: string },
): FastifyReply {
  const etag = `"t${sha256}"`;
  reply
    .type(picture[0] === 0xff ? 'image/jpeg' : 'image/webp')
    .header('etag', etag)
    // Cached but revalidated each time, because access may have been lost since.
    .header('cache-control', 'private, no-cache')
    .header('content-security-policy', PICTURE_POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer');
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(picture);
}
