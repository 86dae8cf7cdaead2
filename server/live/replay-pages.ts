import type { Permission } from '#shared/permissions.ts';
import type { BuildingSet } from './building-set.ts';
import type { StreamEvent } from './events.ts';
import type { EventSource, Stored } from './source.ts';

/** Positions in a page: few enough that nobody waits long for one, whatever the events hold. */
export const PAGE_POSITIONS = 500;
/** A crowd that lost its connections together asks for the same pages within seconds. */
const KEPT_MS = 5_000;
const KEPT_MAX_BYTES = 16 * 1024 * 1024;

/** Whose events are sought: the same for all members of a class (rule R4). */
export type PageAudience = { permissions: readonly Permission[]; buildings: BuildingSet | 'all' };

type Kept = { page: Promise<Stored>; at: number; bytes: number };

export type ReplayPages = {
  /**
   * What a class may see of the page of the record that begins behind `after`, and what is told to single persons there.
   * Not yet narrowed to the client: see `maySee`.
   * @param upTo no position beyond this one
   */
  read(epoch: string, range: { after: number; upTo: number }, sight: PageAudience): Promise<Stored>;
};

/**
 * Pages of the record as classes see them, read once for all who ask within a few seconds. Their borders are multiples of
 * a page, so that clients that were cut off at different positions share them, too.
 */
export function createReplayPages(options: {
  source: Pick<EventSource, 'visible'>;
  monotonicMs: () => number;
}): ReplayPages {
  const { source, monotonicMs } = options;
  const kept = new Map<string, Kept>();
  const setNumbers = new WeakMap<BuildingSet, number>();
  let lastNumber = 0;
  let bytes = 0;

  function keyOf(buildings: PageAudience['buildings']): string {
    if (buildings === 'all') return buildings;
    let number = setNumbers.get(buildings);
    if (number === undefined) {
      lastNumber += 1;
      number = lastNumber;
      setNumbers.set(buildings, number);
    }
    return String(number);
  }

  function drop(key: string): void {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  /** The oldest go first; the map is in the order in which they were asked for. */
  function trim(): void {
    const oldest = monotonicMs() - KEPT_MS;
    for (const [key, { at }] of kept) {
      if (at >= oldest && bytes <= KEPT_MAX_BYTES) return;
      drop(key);
    }
  }

  return {
    async read(epoch, { after, upTo }, { permissions, buildings }) {
      const start = after - (after % PAGE_POSITIONS);
      const end = Math.min(upTo, start + PAGE_POSITIONS);
      const key = `${epoch} ${start} ${end} ${permissions.join()} ${keyOf(buildings)}`;
      trim();
      let one = kept.get(key);
      if (one === undefined) {
        const ids = buildings === 'all' ? buildings : buildings.ids();
        const page = source.visible({ after: start, upTo: end }, { permissions, buildings: ids });
        const added: Kept = { page, at: monotonicMs(), bytes: 0 };
        one = added;
        kept.set(key, added);
        page.then(
          ({ events }) => {
            if (kept.get(key) !== added) return;
            added.bytes = events.reduce((sum, event) => sum + memoryOf(event), 0);
            bytes += added.bytes;
          },
          // A failure is for those who wait for it; who asks next tries again.
          () => kept.get(key) === added && drop(key),
        );
      }
      const { events, end: place } = await one.page;
      return { events: after === start ? events : events.filter(({ g }) => g > after), end: place };
    },
  };
}

/** Roughly; a string of JavaScript may take two bytes a character. */
function memoryOf({ text, buildings }: StreamEvent): number {
  return 200 + 2 * text.length + 64 * (buildings?.length ?? 0);
}
