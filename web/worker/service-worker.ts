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
/** A file that has not come by then will not come: the whole is tried again, and goes on from there. */
const FILE_MS = 60_000;
const EVERYTHING = [...BUILD.assets, ...Object.keys(BUILD.files)];

/** What pages are told while files come, and when they ask (`web/offline/kept-app.ts`). */
type Told = { kept: number; of: number; failed?: 'full' | 'network' };

self.addEventListener('install', (event) => event.waitUntil(keep()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => {
  // Only a person says so: until then every tab goes on with the version that it began with.
  if (event.data === 'update now') event.waitUntil(self.skipWaiting());
  if (event.data === 'what is kept') event.waitUntil(answer(event.ports[0]));
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

/** What is missing is fetched at once: a browser that needed room may have taken it. */
async function answer(asker: MessagePort | undefined): Promise<void> {
  const kept = EVERYTHING.length - (await missing()).length;
  asker?.postMessage({ kept, of: EVERYTHING.length } satisfies Told);
  // A page is told of a failure; for this worker it is none.
  if (kept < EVERYTHING.length) await keep().catch(() => undefined);
}

let keeping: Promise<void> | undefined;

/** All or nothing. What came before this was cut off stays, and is not fetched again. */
function keep(): Promise<void> {
  keeping ??= fetchMissing().finally(() => {
    keeping = undefined;
  });
  return keeping;
}

async function fetchMissing(): Promise<void> {
  const waiting = await missing();
  let kept = EVERYTHING.length - waiting.length;
  const files = waiting.filter((path) => path in BUILD.files);
  const assets = waiting.filter((path) => !(path in BUILD.files));
  const fetchAssets = async () => {
    for (let path = assets.shift(); path !== undefined; path = assets.shift()) {
      await keepAsset(path).catch((error: unknown) => {
        // The other lanes end with what they are at.
        assets.length = 0;
        throw error;
      });
      kept += 1;
      await tell({ kept, of: EVERYTHING.length });
    }
  };
  try {
    const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, fetchAssets));
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
    const shell = await caches.open(SHELL);
    // The page last, so that a version that has one is whole.
    files.sort((a, b) => Number(a === PAGE) - Number(b === PAGE));
    for (const path of files) {
      await keepFile(shell, path);
      kept += 1;
    }
    const contents = { at: Date.now(), assets: [...BUILD.assets, ...BUILD.rarely] };
    await shell.put(CONTENTS, new Response(JSON.stringify(contents)));
    await tell({ kept, of: EVERYTHING.length });
  } catch (error) {
    const full = error instanceof DOMException && error.name === 'QuotaExceededError';
    await tell({ kept, of: EVERYTHING.length, failed: full ? 'full' : 'network' });
    throw error;
  }
}

async function keepAsset(path: string): Promise<void> {
  const answer = await fetch(path, { signal: AbortSignal.timeout(FILE_MS) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  await (await caches.open(ASSETS)).put(path, answer);
}

async function keepFile(shell: Cache, path: string): Promise<void> {
  const answer = await fetch(path, { cache: 'no-cache', signal: AbortSignal.timeout(FILE_MS) });
  const body = await answer.clone().arrayBuffer();
  // A newer build has taken its place meanwhile: its own worker is on the way.
  if (!answer.ok || (await hashOf(body)) !== BUILD.files[path])
    throw new Error(`${path} is of another version`);
  await shell.put(path, answer);
}

/** Those of this version's files that are not in its caches. */
async function missing(): Promise<string[]> {
  const here = new Set<string>();
  for (const name of [ASSETS, SHELL]) {
    // To open one would make it, and a version is there when its shell is.
    if (!(await caches.has(name))) continue;
    for (const { url } of await (await caches.open(name)).keys()) here.add(new URL(url).pathname);
  }
  return EVERYTHING.filter((path) => !here.has(path));
}

/** Every page of ours, whether this worker answers it or not. */
async function tell(told: Told): Promise<void> {
  for (const page of await self.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    page.postMessage(told);
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
