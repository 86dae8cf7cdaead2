// Development: the pages with hot reload, in front of a server that restarts when its files change.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import './stop-with-parent.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const port = process.env.PORT ?? '3000';
const backend = `http://127.0.0.1:${port}`;
/** Paths that the server answers; all others are pages. */
const SERVED = ['/trpc', '/files', '/ut', '/api', '/livez', '/readyz', '/metrics'];

/** @type {import('node:child_process').ChildProcess | undefined} */
let server;
let stopping = false;

function startServer() {
  const watchParent = new URL('./stop-with-parent.mjs', import.meta.url).href;
  // In its own process group, so that Ctrl-C reaches only this script, which then stops the server once and waits for it.
  server = spawn(process.execPath, ['--import', watchParent, '--import', 'tsx', 'server/boot/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    detached: process.platform !== 'win32',
    env: { ...process.env, PORT: port, HOST: '127.0.0.1' },
  });
  const started = server;
  server.once('exit', (code) => {
    if (server === started) server = undefined;
    if (code !== 0 && !stopping) console.error('The server has ended; it starts again when a file changes.');
  });
}

function stopServer() {
  return new Promise((resolve) => {
    if (server === undefined) return resolve(undefined);
    server.once('exit', resolve);
    server.kill('SIGTERM');
  });
}

let restarting = Promise.resolve();
/** @type {NodeJS.Timeout | undefined} */
let soon;
function restartSoon() {
  clearTimeout(soon);
  // Waits, because editors and git write several files at once.
  soon = setTimeout(() => {
    restarting = restarting.then(async () => {
      if (stopping) return;
      await stopServer();
      startServer();
    });
  }, 150);
}

const watchers = ['server', 'db', 'shared'].map((folder) =>
  watch(fileURLToPath(new URL(`../${folder}`, import.meta.url)), { recursive: true }, (_, name) => {
    if (name === null || /\.(ts|sql|json)$/.test(name)) restartSoon();
  }),
);

startServer();

const toBackend = {
  target: backend,
  ws: true,
  // The server accepts requests only from its own pages, so the proxy replaces the origin of requests by the server's.
  changeOrigin: true,
  rewriteWsOrigin: true,
  headers: { origin: backend },
};
const pages = await createServer({
  configFile: fileURLToPath(new URL('../web/vite.config.ts', import.meta.url)),
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: Object.fromEntries(SERVED.map((path) => [path, toBackend])),
  },
});
await pages.listen();
// Vite would end this process at once, before the server has stopped.
process.removeAllListeners('SIGTERM');
console.log(`Pages with hot reload at ${pages.resolvedUrls?.local[0] ?? 'http://127.0.0.1:5173/'}`);

async function stop() {
  if (stopping) return;
  stopping = true;
  for (const watcher of watchers) watcher.close();
  await Promise.all([stopServer(), pages.close()]);
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop());
