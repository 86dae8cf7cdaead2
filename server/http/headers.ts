import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { isSecure } from '../adapters/network/origin.ts';
import type { Env } from '../kernel/env.ts';

const YEAR_SECONDS = 31_536_000;

/**
 * Security headers of every response.
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
        // The library for toasts inserts its own style element.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        // Older Safari versions do not treat the same host's WebSocket as 'self'.
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
  // The Host header is the client's input; only a plain host name may get into our own header.
  const known = host !== undefined && /^[a-z0-9.-]+(:\d+)?$/i.test(host) ? host : 'localhost';
  return `${secure ? 'wss' : 'ws'}://${known}`;
}

/** Hashes of the inline scripts in the built page, the only ones that are allowed. */
function scriptsIn(page: string): string[] {
  if (!existsSync(page)) return [];
  const scripts = readFileSync(page, 'utf8').matchAll(/<script>(.*?)<\/script>/gs);
  return [...scripts].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
}
