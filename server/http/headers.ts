import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { isSecure } from '../adapters/network/origin.ts';
import type { Env } from '../kernel/env.ts';

const YEAR_SECONDS = 31_536_000;

/** The worker that reads PDFs (`web/build/pdfjs.ts`). */
const PDF_WORKER = /^\/assets\/pdfjs-[\d.]+\/pdf\.worker\.min\.js$/;
/**
 * A worker has the policy of its own script, not the page's. Only this worker may run WebAssembly, for decoders of pictures.
 * The file is cached for ever with this header, so a new policy needs a new address.
 */
const PDF_WORKER_POLICY = "default-src 'none';script-src 'self' 'wasm-unsafe-eval';connect-src 'self'";

/**
 * Security headers of every response.
 * @param pages the files of the built pages
 */
export function mountHeaders(app: FastifyInstance, env: Env, pages: readonly string[]): void {
  const secure = isSecure(env);
  const headers = {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': 'camera=(self), geolocation=(self), microphone=(), payment=(), usb=()',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    // Turns off a filter of old browsers that could itself be used against the page.
    'x-xss-protection': '0',
    ...(secure ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  };
  const policy = contentPolicy(pages.flatMap(scriptsIn));
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    if (PDF_WORKER.test(request.url)) {
      reply.header('content-security-policy', PDF_WORKER_POLICY);
      done();
      return;
    }
    // Older Safari versions do not treat the same host's WebSocket as 'self'.
    const sockets = socketOrigin(request.headers.host, secure);
    reply.header('content-security-policy', `${policy};connect-src 'self' ${sockets}`);
    done();
  });
}

/** The policy for everything but connections. */
function contentPolicy(scripts: readonly string[]): string {
  const directives = [
    ['default-src', "'self'"],
    ['script-src', "'self'", ...scripts],
    // The library for toasts inserts its own style element.
    ['style-src', "'self'", "'unsafe-inline'"],
    ['img-src', "'self'", 'data:', 'blob:'],
    ['font-src', "'self'"],
    ['worker-src', "'self'"],
    ['manifest-src', "'self'"],
    ['form-action', "'self'"],
    ['object-src', "'none'"],
    ['base-uri', "'none'"],
    ['frame-ancestors', "'none'"],
  ];
  return directives.map((directive) => directive.join(' ')).join(';');
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
