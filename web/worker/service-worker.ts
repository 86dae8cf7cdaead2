// Opens the app without a network. It stores the page and its code, and nothing else: data from the server is never
// stored here. Built into /sw.js with the list of files to store (see `build/service-worker.ts`); imports nothing.
declare const self: ServiceWorkerGlobalScope;

/** The build puts the value of this constant before the code of this file. */
declare const BUILD: {
  version: string;
  /** Files with stable names, including the page, with the SHA-256 of this build's version. */
  files: Record<string, string>;
  /** Files with their hash or version in the name. */
  assets: string[];
  /**
   * Files with their hash or version in the name that are stored only once they are used: alphabets that few people need,
   * and the parts of pdf.js.
   */
  rarely: string[];
};

const PAGE = '/index.html';
const SHELL_PREFIX = 'lintel-shell-';
const SHELL = `${SHELL_PREFIX}${BUILD.version}`;
/** Shared by all versions: a name with a hash always means the same content. */
const ASSETS = 'lintel-assets';
/**
 * The list of a version's files, stored with that version. A later version reads which files open tabs of this version
 * may need.
 */
const CONTENTS = '/contents-of-this-version';
/** The number of versions stored. A tab that stays open for longer must be reloaded. */
const VERSIONS_KEPT = 3;
/** The number of parallel fetches, low because the page needs the network as well. */
const AT_ONCE = 3;
/** The time limit for one file. After it the installation fails; the next try continues from there. */
const FILE_MS = 60_000;
const EVERYTHING = [...BUILD.assets, ...Object.keys(BUILD.files)];

/** The report to pages, during the installation and on request (`web/offline/kept-app.ts`). */
type Told = { kept: number; of: number; failed?: 'full' | 'network' };

self.addEventListener('install', (event) => event.waitUntil(keep()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => {
  // Only on a person's request: until then every tab continues with its version.
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

/** Whether an address is a page of the app. The addresses of files, the API, health checks and displays are not. */
function isOurPage(path: string): boolean {
  return (
    !/^\/(trpc|api|files|sign-in|livez|readyz|metrics|wall)(\/|$)/.test(path) && !/\.[a-z0-9]+$/i.test(path)
  );
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
  // On a full disk no more files are stored, but the page still gets its answer.
  if (answer.ok) await cache.put(request.url, answer.clone()).catch(() => undefined);
  return answer;
}

/** Reports how many files are stored, and fetches missing files: the browser may have removed them to make room. */
async function answer(asker: MessagePort | undefined): Promise<void> {
  const kept = EVERYTHING.length - (await missing()).length;
  asker?.postMessage({ kept, of: EVERYTHING.length } satisfies Told);
  // The pages receive a report of the failure; this worker cannot do anything about it.
  if (kept < EVERYTHING.length) await keep().catch(() => undefined);
}

let keeping: Promise<void> | undefined;

/** Fetches all missing files, or fails. Files from an interrupted try stay and are not fetched again. */
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
        // The other fetches stop after the file that they are fetching.
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
    // The page is stored last, so that a version that contains the page is complete.
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
  // A newer build has replaced the file; the service worker of that build will be installed.
  if (!answer.ok || (await hashOf(body)) !== BUILD.files[path])
    throw new Error(`${path} is of another version`);
  await shell.put(path, answer);
}

/** This version's files that are not in its caches. */
async function missing(): Promise<string[]> {
  const here = new Set<string>();
  for (const name of [ASSETS, SHELL]) {
    // Opening a cache would create it, and an existing shell means that the version is installed.
    if (!(await caches.has(name))) continue;
    for (const { url } of await (await caches.open(name)).keys()) here.add(new URL(url).pathname);
  }
  return EVERYTHING.filter((path) => !here.has(path));
}

/** Sends a report to every page of the app, whether this worker controls the page or not. */
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
    // A version whose list of files is missing was never complete.
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
