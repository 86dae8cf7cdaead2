// Opens the app without a network. It keeps the page and its code, and nothing else: what the server knows travels
// past it and is never kept here. Built into /sw.js with the list of what to keep (see `plugin.ts`); imports nothing.
declare const self: ServiceWorkerGlobalScope;

/** Put in front of this file by the build. */
declare const BUILD: {
  version: string;
  /** Files under names that stay, with the SHA-256 of this build's: the page itself is among them. */
  files: Record<string, string>;
  /** Files whose names hold their hash. */
  assets: string[];
  /** The same, but kept only once they are used: alphabets that few people need. */
  rarely: string[];
};

const PAGE = '/index.html';
const SHELL_PREFIX = 'lintel-shell-';
const SHELL = `${SHELL_PREFIX}${BUILD.version}`;
/** For all versions together: a name with a hash means the same for ever. */
const ASSETS = 'lintel-assets';
/** What a version consists of, kept with it, so that a later one knows what tabs of this one may still ask for. */
const CONTENTS = '/contents-of-this-version';
/** Tabs that stay open over this many updates must be reloaded. */
const VERSIONS_KEPT = 3;
/** The page needs the network too while this one is being installed. */
const AT_ONCE = 3;

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => {
  // Only a person says so: until then every tab goes on with the version that it began with.
  if (event.data === 'update now') event.waitUntil(self.skipWaiting());
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith('/assets/')) event.respondWith(asset(request));
  else if (request.mode === 'navigate' && isOurPage(url.pathname))
    event.respondWith(fromShell(PAGE, request));
  else if (url.pathname !== PAGE && url.pathname in BUILD.files) {
    event.respondWith(fromShell(url.pathname, request));
  }
});

/** An address that a person may type. Files, the API and what looks after this worker are the server's. */
function isOurPage(path: string): boolean {
  return !/^\/(trpc|files|livez|readyz|metrics)(\/|$)/.test(path) && !/\.[a-z0-9]+$/i.test(path);
}

async function fromShell(name: string, request: Request): Promise<Response> {
  const kept = await (await caches.open(SHELL)).match(name);
  return kept ?? fetch(request);
}

async function asset(request: Request): Promise<Response> {
  const cache = await caches.open(ASSETS);
  const kept = await cache.match(request.url);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  // A full disk keeps nothing more: the page has its answer all the same.
  if (answer.ok) await cache.put(request.url, answer.clone()).catch(() => undefined);
  return answer;
}

/** All or nothing. What came before this was cut off stays, and is not fetched again. */
async function install(): Promise<void> {
  const assets = await caches.open(ASSETS);
  const waiting = [...BUILD.assets];
  const fetchAssets = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      if ((await assets.match(path)) !== undefined) continue;
      const answer = await fetch(path);
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      await assets.put(path, answer);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchAssets));
  // The page last, so that a version that has one is whole.
  const shell = await caches.open(SHELL);
  const files = Object.entries(BUILD.files).sort(([a], [b]) => Number(a === PAGE) - Number(b === PAGE));
  for (const [path, sha256] of files) {
    const answer = await fetch(path, { cache: 'no-cache' });
    const body = await answer.clone().arrayBuffer();
    // A newer build has taken its place meanwhile: its own worker is on the way.
    if (!answer.ok || (await hashOf(body)) !== sha256) throw new Error(`${path} is of another version`);
    await shell.put(path, answer);
  }
  const contents = { at: Date.now(), assets: [...BUILD.assets, ...BUILD.rarely] };
  await shell.put(CONTENTS, new Response(JSON.stringify(contents)));
}

async function hashOf(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function activate(): Promise<void> {
  const versions: { name: string; at: number; assets: string[] }[] = [];
  for (const name of await caches.keys()) {
    if (!name.startsWith(SHELL_PREFIX)) continue;
    const contents = await (await caches.open(name)).match(CONTENTS);
    // One without its contents was never whole.
    versions.push({ name, at: 0, assets: [], ...(await contents?.json()) });
  }
  versions.sort((a, b) => Number(b.name === SHELL) - Number(a.name === SHELL) || b.at - a.at);
  const kept = versions.slice(0, VERSIONS_KEPT);
  for (const { name } of versions.slice(VERSIONS_KEPT)) await caches.delete(name);
  const needed = new Set(kept.flatMap((version) => version.assets));
  const assets = await caches.open(ASSETS);
  for (const request of await assets.keys()) {
    if (!needed.has(new URL(request.url).pathname)) await assets.delete(request);
  }
  await self.clients.claim();
}
