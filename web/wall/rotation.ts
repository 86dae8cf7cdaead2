import { WALL_SCREENS, type WallScreen } from '#shared/features/displays/display-settings.ts';

/** A page of a screen; pages count from 0. */
export type Page = { screen: WallScreen; page: number };

/** The time for which the rotation stops after a key press (WCAG 2.2.2). */
export const KEY_PAUSE_MS = 60_000;
/** The time for which a new critical issue keeps the screen Now. */
export const PIN_MS = 5 * 60_000;

/**
 * Decides which page is shown. It stores the screen and page, not an index in a list, because pages appear and disappear
 * with their content. All times are from one monotonic clock, in ms.
 */
export class Rotation {
  #at: Page;
  #since: number;
  #pausedUntil = 0;
  #pinnedUntil = 0;

  constructor(start: Page, now: number) {
    this.#at = start;
    this.#since = now;
  }

  /**
   * The page to show now.
   * @param pages the existing pages, in order; at least one
   * @param options.pageMs the time for which each page is shown
   * @param options.isStopped whether an administrator has paused the display, so that the page stays
   */
  page(pages: readonly Page[], now: number, options: { pageMs: number; isStopped: boolean }): Page {
    if (now < this.#pinnedUntil) {
      this.#at = { screen: 'now', page: 0 };
      this.#since = now;
      return this.#at;
    }
    let index = nearest(pages, this.#at);
    // The time of the page counts from the end of a pause, even if nothing was painted at that moment.
    this.#since = Math.max(this.#since, Math.min(now, Math.max(this.#pausedUntil, this.#pinnedUntil)));
    if (options.isStopped) this.#since = now;
    else if (now - this.#since >= options.pageMs) {
      index = (index + 1) % pages.length;
      this.#since = now;
    }
    this.#at = pages[index] ?? this.#at;
    return this.#at;
  }

  isPaused(now: number): boolean {
    return now < this.#pausedUntil;
  }

  isPinned(now: number): boolean {
    return now < this.#pinnedUntil;
  }

  /** Shows the screen Now, and stays there for `PIN_MS`. */
  pin(now: number): void {
    this.#pinnedUntil = now + PIN_MS;
  }

  /** Pauses for `KEY_PAUSE_MS`, so that a person can read, and moves `by` pages forward or back. */
  press(pages: readonly Page[], now: number, by: -1 | 0 | 1): void {
    this.#pinnedUntil = 0;
    this.#pausedUntil = now + KEY_PAUSE_MS;
    this.#since = now;
    const index = nearest(pages, this.#at);
    this.#at = pages[(index + by + pages.length) % pages.length] ?? this.#at;
  }
}

/** The index of a page. If the page no longer exists: the index of the last page of its screen before it; if there is none, 0. */
function nearest(pages: readonly Page[], { screen, page }: Page): number {
  let found = 0;
  for (const [index, one] of pages.entries()) {
    if (one.screen === screen && one.page <= page) found = index;
  }
  return found;
}

/** Reads `#today/2` as the third page of Today, and anything else as the first page of Now. */
export function pageIn(hash: string): Page {
  const [name = '', number = ''] = hash.slice(1).split('/');
  const screen = WALL_SCREENS.find((one) => one === name);
  const page = Number(number);
  return {
    screen: screen ?? 'now',
    page: screen !== undefined && Number.isInteger(page) && page > 0 ? page : 0,
  };
}

export function hashOf({ screen, page }: Page): string {
  return `#${screen}/${page}`;
}
