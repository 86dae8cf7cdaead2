import { Listeners } from '../lib/listeners.ts';
import { appWorker, registerWorker } from '../offline/app-worker.ts';

const LOOK_EVERY_MS = 3_600_000;
/** Not again within this, however often the page is looked at. */
const LOOK_AT_MOST_EVERY_MS = 10 * 60_000;
const GO_ON_EVERY_MS = 15_000;

const listeners = new Listeners();
let registration: ServiceWorkerRegistration | undefined;
let ready = false;
let started = false;
let lookedAt = 0;

/** Whether a newer version waits; for `useSyncExternalStore`. */
export const updates = { subscribe: listeners.subscribe, isReady: () => ready };

/**
 * Lets the browser keep the app, so that it opens without a network. Once for the page, and only in a build: while
 * developing, what is kept would be yesterday's.
 */
export function startServiceWorker(): void {
  if (started || !import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  started = true;
  // Whoever has just come waits for the screen, not for what a later visit will need.
  const whenQuiet = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 1_000));
  if (document.readyState === 'complete') whenQuiet(() => void register());
  else window.addEventListener('load', () => whenQuiet(() => void register()), { once: true });
}

async function register(): Promise<void> {
  const { serviceWorker } = navigator;
  const controlledAtFirst = serviceWorker.controller !== null;
  // Another tab has taken the new version. This one goes on with its own until its person wants the new one too.
  serviceWorker.addEventListener('controllerchange', () => {
    if (controlledAtFirst) setReady();
  });
  await take(controlledAtFirst);
  setInterval(() => void look(), LOOK_EVERY_MS);
  // What was cut off goes on as soon as it can.
  const goOn = () => {
    if (!document.hidden && navigator.onLine && isCutOff()) void take(controlledAtFirst);
  };
  setInterval(goOn, GO_ON_EVERY_MS);
  window.addEventListener('online', goOn);
  document.addEventListener('visibilitychange', () => {
    goOn();
    if (!document.hidden) void look();
  });
}

async function take(controlledAtFirst: boolean): Promise<void> {
  const taken = await registerWorker();
  if (taken === undefined) return;
  lookedAt = Date.now();
  if (taken.waiting !== null && controlledAtFirst) setReady();
  if (taken === registration) return;
  registration = taken;
  if (taken.installing !== null) watch(taken.installing);
  taken.addEventListener('updatefound', () => {
    if (taken.installing) watch(taken.installing);
  });
}

/** Nothing is kept yet, and nothing comes. */
function isCutOff(): boolean {
  if (registration === undefined) return appWorker.refusal() === 'network';
  const { installing, waiting, active } = registration;
  return installing === null && waiting === null && active === null;
}

function watch(worker: ServiceWorker): void {
  worker.addEventListener('statechange', () => {
    // The first one of all is no update.
    if (worker.state === 'installed' && navigator.serviceWorker.controller !== null) setReady();
  });
}

async function look(): Promise<void> {
  if (Date.now() - lookedAt < LOOK_AT_MOST_EVERY_MS) return;
  lookedAt = Date.now();
  // Without a network there is nothing to find, and the next look tries again.
  await registration?.update().catch(() => undefined);
}

function setReady(): void {
  if (ready) return;
  ready = true;
  listeners.tell();
}

/** Takes the new version in this tab; the others keep theirs. What is typed must be kept before this is called. */
export function updateNow(): void {
  const reload = () => window.location.reload();
  const waiting = registration?.waiting;
  if (!waiting) {
    reload();
    return;
  }
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  waiting.postMessage('update now');
}
