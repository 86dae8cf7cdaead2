import { Listeners } from '../lib/listeners.ts';
import { appWorker, hear, registerWorker, type Told } from './app-worker.ts';

export type KeptApp = {
  /**
   * `looking` until the worker's report has been read; `held` while the remaining files cannot be fetched; `insecure`,
   * `refused` and `full` if waiting does not help.
   */
  state: 'looking' | 'getting' | 'held' | 'ready' | 'insecure' | 'refused' | 'full';
  /** The share of the files that is stored, in percent. */
  percent: number;
};

const LOOK_EVERY_MS = 5_000;
/** A complete app seldom disappears: the browser removes it only if it needs room. */
const LOOK_WHEN_READY_MS = 60_000;
/** The maximum time in which a worker starts and reads its caches. */
const ANSWER_MS = 5_000;

const listeners = new Listeners();
let shown: KeptApp = { state: 'looking', percent: 0 };
let lookedAt = 0;
let watchers = 0;
let stop: (() => void) | undefined;

/**
 * Whether the app itself is stored on this device, for `useSyncExternalStore`: the service worker that serves the next
 * navigation counts the files in its caches. The state is checked regularly while it is shown.
 */
export const keptApp = {
  snapshot: (): KeptApp => shown,
  subscribe(listener: () => void): () => void {
    const unsubscribe = listeners.subscribe(listener);
    watchers += 1;
    stop ??= watch();
    return () => {
      unsubscribe();
      watchers -= 1;
      if (watchers > 0) return;
      stop?.();
      stop = undefined;
    };
  },
  /** Registers the worker again and checks at once, because a person asks for it. */
  async tryAgain(): Promise<void> {
    const { kept, of } = appWorker.told();
    hear({ kept, of });
    if (canKeep()) await registerWorker();
    await look();
  },
};

function watch(): () => void {
  const again = () => void look();
  const timer = setInterval(() => {
    if (shown.state !== 'ready' || performance.now() - lookedAt > LOOK_WHEN_READY_MS) again();
  }, LOOK_EVERY_MS);
  const stopHearing = appWorker.subscribe(onTold);
  const worker = canKeep() ? navigator.serviceWorker : undefined;
  worker?.addEventListener('controllerchange', again);
  window.addEventListener('online', again);
  window.addEventListener('offline', again);
  document.addEventListener('visibilitychange', again);
  again();
  return () => {
    clearInterval(timer);
    stopHearing();
    worker?.removeEventListener('controllerchange', again);
    window.removeEventListener('online', again);
    window.removeEventListener('offline', again);
    document.removeEventListener('visibilitychange', again);
  };
}

/** While a complete version is stored, a report about a newer one is ignored: the complete version still opens. */
function onTold(): void {
  if (shown.state === 'ready') return;
  const told = appWorker.told();
  if (told.kept < told.of) show(onTheWay(), told);
  else void look();
}

async function look(): Promise<void> {
  lookedAt = performance.now();
  if (!canKeep()) {
    show(window.isSecureContext ? 'refused' : 'insecure');
    return;
  }
  const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined);
  const worker = registration?.active ?? registration?.installing;
  const answer = worker ? await ask(worker) : undefined;
  const whole = answer !== undefined && answer.kept >= answer.of;
  show(whole && worker?.state === 'activated' ? 'ready' : onTheWay(), answer);
}

/** The state of an incomplete app: `getting` if the remaining files are being fetched, otherwise the obstacle. */
function onTheWay(): KeptApp['state'] {
  const { failed } = appWorker.told();
  if (failed === 'full') return 'full';
  if (appWorker.refusal() === 'browser') return 'refused';
  return navigator.onLine && failed === undefined && appWorker.refusal() === undefined ? 'getting' : 'held';
}

function show(state: KeptApp['state'], { kept, of } = appWorker.told()): void {
  const percent = Math.floor((100 * kept) / of);
  if (shown.state === state && shown.percent === percent) return;
  shown = { state, percent };
  listeners.tell();
}

/** Whether the app can be stored; in development it cannot. */
function canKeep(): boolean {
  return import.meta.env.PROD && 'serviceWorker' in navigator;
}

/**
 * Asks a worker for its report. @returns undefined if the worker does not answer, for example because it is of an older
 * version
 */
function ask(worker: ServiceWorker): Promise<Told | undefined> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const end = (answer?: Told) => {
      clearTimeout(late);
      port1.close();
      resolve(answer);
    };
    const late = setTimeout(end, ANSWER_MS);
    port1.onmessage = ({ data }: MessageEvent<Told>) => end(data);
    worker.postMessage('what is kept', [port2]);
  });
}
