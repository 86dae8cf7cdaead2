import { Listeners } from '../../lib/listeners.ts';
import { appWorker, registerWorker } from '../../offline/app-worker.ts';

const LOOK_EVERY_MS = 3_600_000;
/** The shortest time between two checks, however often the tab is shown. */
const LOOK_AT_MOST_EVERY_MS = 10 * 60_000;
const GO_ON_EVERY_MS = 15_000;

const listeners = new Listeners();
let registration: ServiceWorkerRegistration | undefined;
let ready = false;
let started = false;
let lookedAt = 0;

/** Store for `useSyncExternalStore`: whether a newer version is waiting. */
export const updates = { subscribe: listeners.subscribe, isReady: () => ready };

/**
 * Registers the service worker, so that the app opens without a network. Runs once per page, and only in a build: in
 * development, its cached files would be out of date.
 */
export function startServiceWorker(): void {
  if (started || !import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  started = true;
  void register();
}

async function register(): Promise<void> {
  const { serviceWorker } = navigator;
  const controlledAtFirst = serviceWorker.controller !== null;
  // Another tab has activated the new version. This tab stays on its own version until the person chooses to update.
  serviceWorker.addEventListener('controllerchange', () => {
    if (controlledAtFirst) setReady();
  });
  await take(controlledAtFirst);
  setInterval(() => void look(), LOOK_EVERY_MS);
  // An interrupted installation resumes once there is a network.
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

/** Returns whether the first installation was interrupted: no worker is active, waiting or installing. */
function isCutOff(): boolean {
  if (registration === undefined) return appWorker.refusal() === 'network';
  const { installing, waiting, active } = registration;
  return installing === null && waiting === null && active === null;
}

function watch(worker: ServiceWorker): void {
  worker.addEventListener('statechange', () => {
    // Without a controller this is the first installation, not an update.
    if (worker.state === 'installed' && navigator.serviceWorker.controller !== null) setReady();
  });
}

async function look(): Promise<void> {
  if (Date.now() - lookedAt < LOOK_AT_MOST_EVERY_MS) return;
  lookedAt = Date.now();
  // Fails without a network; the next check tries again.
  await registration?.update().catch(() => undefined);
}

function setReady(): void {
  if (ready) return;
  ready = true;
  listeners.tell();
}

/** Activates the new version and reloads this tab; other tabs stay on their version. Drafts must be stored before the call. */
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
