import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { sendError } from './refusal.ts';

/** The folder of the build. */
export const DIST = fileURLToPath(new URL('../../web/dist', import.meta.url));

/**
 * Serves the built app: hashed files cached for ever, the page itself never cached, and the page for every other path.
 * A path that looks like a missing file gets 404.
 */
export async function mountPages(app: FastifyInstance, dist: string): Promise<void> {
  const built = existsSync(join(dist, 'index.html'));
  if (built) {
    await app.register(fastifyStatic, {
      root: dist,
      wildcard: true,
      // The build compresses better than would be affordable per request.
      preCompressed: true,
      cacheControl: false,
      setHeaders(response, path) {
        const hashed = path.startsWith(join(dist, 'assets'));
        response.setHeader('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
        response.setHeader('vary', 'accept-encoding');
      },
    });
    // The page of a display is a document of its own, apart from the app and its worker.
    app.get('/wall', (_request, reply) => reply.sendFile('wall.html', dist));
    app.get('/wall/', (_request, reply) => reply.redirect('/wall'));
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (!isPage || path.startsWith('/trpc')) return sendError(request, reply, new AppError('not_found'));
    if (/\.[a-z0-9]+$/i.test(path) || path.startsWith('/assets/')) {
      return reply
        .code(404)
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .send('Not found\n');
    }
    if (!built)
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The pages are not built yet: npm run build\n');
    return reply.sendFile('index.html', dist);
  });
}
