import type { FastifyRequest } from 'fastify';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
/** Headers that proxies add, under any of the names used for the sender's address. */
const FORWARDING =
  /forward|(client|real|remote|source|user)[-_]?(ip|addr)|^(via|cdn-loop|max-forwards|x-varnish|x-host|front-end-https)$|^(x-original|x-envoy|x-amz|x-azure|cf|fastly|fly)-/;
const LOCAL_HOST = /^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?$/i;

/**
 * Returns whether a request comes from this machine and not through a proxy on it. A proxy that adds no header is often
 * recognisable by HTTP/1.0, nginx's default.
 */
export function isLocal({ socket, headers, raw }: FastifyRequest): boolean {
  return (
    raw.httpVersion !== '1.0' &&
    raw.headersDistinct['host']?.length === 1 &&
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    LOCAL_HOST.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => FORWARDING.test(name))
  );
}
