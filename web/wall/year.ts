import type { Wall } from '#shared/features/displays/displays.ts';
import type { WallWeek } from '#shared/features/displays/wall.ts';
import type { Snapshot } from '#shared/live/live.ts';
import { call } from './call.ts';

/** The interval between two requests, in ms. Past weeks change only because of late or corrected records. */
const AGAIN_MS = 3_600_000;
const RETRY_MS = 30_000;
/** Minimum interval between two requests when the display's buildings change, in ms. */
const PACE_MS = 15_000;
/** The time for which the weeks stay on the screen if they cannot be fetched again, in ms. */
const KEPT_MS = 24 * 3_600_000;

/** Fetches and stores the checks of the last year, for the screen Week. */
export class Year {
  readonly #onChange: () => void;
  #weeks: readonly WallWeek[] | undefined;
  #answeredAt = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** The time of the next request, by `performance.now()`. */
  #dueAt = 0;
  #isAsking = false;
  /** The last snapshot that was examined, and the display and buildings in it. */
  #wall: Wall | undefined;
  #shown = '';

  /** @param onChange called when the weeks have arrived or changed */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The weeks, the oldest first; undefined while they are not known. */
  get weeks(): readonly WallWeek[] | undefined {
    return performance.now() - this.#answeredAt < KEPT_MS ? this.#weeks : undefined;
  }

  /** Fetches the weeks if the display shows them: at first, every hour, and when the display's buildings have changed. */
  tend(wall: Wall): void {
    if (!wall.display.settings.screens.includes('week')) return;
    if (wall !== this.#wall) this.#look(wall);
    if (!this.#isAsking && performance.now() >= this.#dueAt) void this.#ask();
  }

  #look(wall: Wall): void {
    this.#wall = wall;
    const shown = `${wall.display.version} ${wall.places.map(({ id }) => id).join()}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#weeks = undefined;
    this.#dueAt = this.#askedAt + PACE_MS;
  }

  async #ask(): Promise<void> {
    const shown = this.#shown;
    this.#isAsking = true;
    this.#askedAt = performance.now();
    const answer = await call<Snapshot<WallWeek[]>>('query', 'checks.pastWeeks');
    this.#isAsking = false;
    // The answer may be about the earlier buildings. The next request is scheduled already.
    if (shown !== this.#shown) return;
    // Random, so that displays that started together do not always send their requests together.
    const pause = (answer.ok ? AGAIN_MS : RETRY_MS) * (0.8 + 0.4 * Math.random());
    this.#dueAt = performance.now() + pause;
    if (!answer.ok) return;
    this.#answeredAt = performance.now();
    this.#weeks = answer.data.data;
    this.#onChange();
  }
}
