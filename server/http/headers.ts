import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { isSecure } from '../adapters/network/origin.ts';
import type { Env } from '../kernel/env.ts';

const YEAR_SECONDS = 31_536_000;

/**
 * What every answer tells the browser about what our pages may do.
 * @param page the file of the built page
 */
export async function mountHeaders(app: FastifyInstance, env: Env, page: string): Promise<void> {
  const secure = isSecure(env);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scriptsIn(page)],
        // The toasts bring their own style element.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        // Older Safaris do not count the socket of the same host as 'self'.
        connectSrc: ["'self'", (request) => socketOrigin(request.headers.host, secure)],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: secure ? { maxAge: YEAR_SECONDS, includeSubDomains: false } : false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header(
      'permissions-policy',
      'camera=(self), geolocation=(self), microphone=(), payment=(), usb=()',
    );
  });
}

function socketOrigin(host: string | undefined, secure: boolean): string {
  // The header is the client's own; anything odd must not get into a header of ours.
  const known = host !== undefined && /^[a-z0-9.-]+(:\d+)?$/i.test(host) ? host : 'localhost';
  return `${secure ? 'wss' : 'ws'}://${known}`;
}

/** The script that stands in the page itself is allowed by its hash, and no other. */
function scriptsIn(page: string): string[] {
  if (!existsSync(page)) return [];
  const scripts = readFileSync(page, 'utf8').matchAll(/<script>(.*?)<\/script>/gs);
  return [...scripts].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
}
