import { call, fetchText } from './call.ts';

/** The interval at which a display reports its state to the server (`beat`), in ms. */
export const BEAT_MS = 30_000;
/** The interval at which a display checks for a newer version of its page. */
const VERSION_MS = 10 * 60_000;
/** The time without data after which a display reloads itself. */
const SILENT_MS = 10 * 60_000;
/** A display reloads itself once a night, in this hour of the organisation's day. */
const NIGHT_HOUR = 3;
const NIGHT_AFTER_MS = 20 * 3_600_000;

const pageVersion = (html: Document | string): string | undefined =>
  typeof html === 'string'
    ? /<meta name="version" content="([0-9a-f]+)"/.exec(html)?.[1]
    : (html.querySelector('meta[name="version"]')?.getAttribute('content') ?? undefined);

/** The version of this page. */
export const BUILD = pageVersion(document) ?? '';

/**
 * Reports the position of the painted data, the version of this page and the size of the screen.
 * @returns the version of the display's settings, or the error code
 */
export function beat(position: string): ReturnType<typeof call<{ version: number }>> {
  const { width, height } = window.screen;
  return call<{ version: number }>('mutation', 'displays.beat', {
    input: { position, build: BUILD, width, height },
  });
}

/** Reloads the page of the display if there is a reason and a reload is safe. */
export class Upkeep {
  /** Random within the hour, so that not all displays reload at once. */
  readonly #nightMinute = Math.floor(Math.random() * 60);
  #triedAt = performance.now();
  #versionAt = performance.now();
  #isBusy = false;
  #isNewer = false;

  /**
   * Reloads if there is a reason, and only if the server and the new page have answered, so that a display never ends on
   * an error page.
   * @param state.isQuiet the rotation is neither paused by a reader nor pinned by a new issue
   * @param state.local the hour and minute of the organisation's day; undefined before the first answer of the server
   */
  tend(state: {
    isQuiet: boolean;
    silentMs: number;
    local: { hour: number; minute: number } | undefined;
    isAsked: boolean;
  }): void {
    const now = performance.now();
    if (this.#isBusy) return;
    const { isQuiet, silentMs, local, isAsked } = state;
    const isNight =
      now > NIGHT_AFTER_MS &&
      local !== undefined &&
      local.hour === NIGHT_HOUR &&
      local.minute === this.#nightMinute;
    const isSilent = silentMs >= SILENT_MS && now - this.#triedAt >= SILENT_MS;
    if (isAsked || isSilent || (isQuiet && (this.#isNewer || isNight))) {
      this.#triedAt = now;
      void this.#reload();
    } else if (now - this.#versionAt >= VERSION_MS) {
      this.#versionAt = now;
      void this.#look();
    }
  }

  async #look(): Promise<void> {
    const page = await fetchText('/wall');
    const version = page === undefined ? undefined : pageVersion(page);
    this.#isNewer = version !== undefined && version !== BUILD;
  }

  async #reload(): Promise<void> {
    this.#isBusy = true;
    const [ready, page] = await Promise.all([fetchText('/readyz'), fetchText('/wall')]);
    const isSafe = ready !== undefined && page !== undefined && pageVersion(page) !== undefined;
    if (isSafe) window.location.reload();
    this.#isBusy = false;
  }
}

/** Registers the service worker that opens this page while there is no network. The page also works without it. */
export function registerWorker(): void {
  if (import.meta.env.DEV) return;
  navigator.serviceWorker?.register('/wall-worker.js', { scope: '/wall' }).catch(() => undefined);
}

/** Keeps the panel awake while the page is visible, if the browser supports that. */
export function stayAwake(): void {
  const ask = () => {
    if (document.visibilityState === 'visible') navigator.wakeLock?.request('screen').catch(() => undefined);
  };
  document.addEventListener('visibilitychange', ask);
  ask();
}
