import type { Permission } from '#shared/permissions.ts';
import type { BuildingSet } from './access/building-set.ts';
import type { StreamEvent } from './events.ts';
import type { EventSource, Stored } from './source.ts';

/** Positions per page; few, so that no client waits long for a page. */
export const PAGE_POSITIONS = 500;
/** How long a page is cached, in ms. Clients that lost their connections together request the same pages within seconds. */
const KEPT_MS = 5_000;
const KEPT_MAX_BYTES = 16 * 1024 * 1024;

/** The audience whose events are read: the same for all members of a class (rule R4). */
export type PageAudience = { permissions: readonly Permission[]; buildings: BuildingSet | 'all' };

type Kept = { page: Promise<Stored>; at: number; bytes: number };

export type ReplayPages = {
  /**
   * Reads the page of the log that contains the positions after `after`: the events that a class may see, and those addressed to
   * single people. The caller then selects the events that the client may see.
   * @param upTo no position beyond this one
   */
  read(epoch: string, range: { after: number; upTo: number }, sight: PageAudience): Promise<Stored>;
};

/**
 * Caches pages of the event log for each class, for a few seconds. Pages begin at multiples of their size, so that clients
 * whose connections broke at different positions share pages, too.
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

  /** Drops the oldest pages first; the map contains them in the order of their first request. */
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
          // A failed read is dropped, so that the next caller tries again.
          () => kept.get(key) === added && drop(key),
        );
      }
      const { events, end: place } = await one.page;
      return { events: after === start ? events : events.filter(({ g }) => g > after), end: place };
    },
  };
}

/** Approximate; a JavaScript string may take two bytes per character. */
function memoryOf({ text, buildings }: StreamEvent): number {
  return 200 + 2 * text.length + 64 * (buildings?.length ?? 0);
}
