// Opens the page of a display before the network is available. Stores the page and its font, but none of the data that
// the page shows. Built into /wall-worker.js (see `build/wall-page.ts`); imports nothing, and runs in Chromium 79.
declare const self: ServiceWorkerGlobalScope;

/** The build puts the value of this constant before the code of this file. */
declare const BUILD: { version: string; files: string[] };

const PAGE = '/wall';
const KEPT = 'lintel-wall';
/** The time that the network has to answer with the newest page, in ms. */
const NETWORK_MS = 4_000;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll(BUILD.files.map((path) => new Request(path, { cache: 'reload' }))))
      .then(() => self.skipWaiting()),
  );
});
self.addEventListener('activate', (event) => {
  event.waitUntil(tidy().then(() => self.clients.claim()));
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate' && pathname === PAGE) event.respondWith(page(request));
  else if (pathname !== PAGE && BUILD.files.includes(pathname)) event.respondWith(font(request));
});

/** Returns the newest page, or the stored page if the network does not answer within `NETWORK_MS`. */
async function page(request: Request): Promise<Response> {
  const cache = await caches.open(KEPT);
  const fresh = fetch(request).then(async (answer) => {
    if (answer.ok) await cache.put(PAGE, answer.clone()).catch(() => undefined);
    return answer.ok ? answer : undefined;
  });
  const inTime = await Promise.race([
    fresh.catch(() => undefined),
    new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), NETWORK_MS);
    }),
  ]);
  return inTime ?? (await cache.match(PAGE)) ?? fetch(request);
}

async function font(request: Request): Promise<Response> {
  return (await (await caches.open(KEPT)).match(request.url)) ?? fetch(request);
}

async function tidy(): Promise<void> {
  const cache = await caches.open(KEPT);
  for (const request of await cache.keys()) {
    if (!BUILD.files.includes(new URL(request.url).pathname)) await cache.delete(request);
  }
}
