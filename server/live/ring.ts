import type { StreamEvent } from './events.ts';

/** The newest events in memory, so that clients that come back cost no query (rule R1). */
export type Ring = {
  /** Events must follow each other without a gap. */
  push(events: readonly StreamEvent[]): void;
  /** The events after a position, or undefined where the ring no longer reaches back to it. */
  after(g: number): readonly StreamEvent[] | undefined;
  clear(): void;
  size(): number;
};

/**
 * @param options.capacity events kept
 * @param options.maxBytes of their text, so that long texts cannot fill the memory
 */
export function createRing(options: { capacity?: number; maxBytes?: number } = {}): Ring {
  const { capacity = 10_000, maxBytes = 64 * 1024 * 1024 } = options;
  let events: StreamEvent[] = [];
  // Removed from the front lazily: shifting ten thousand elements for each event would cost more than the event.
  let start = 0;
  let bytes = 0;

  function trim(): void {
    while (events.length - start > capacity || (bytes > maxBytes && start < events.length)) {
      bytes -= events[start]?.bytes ?? 0;
      start += 1;
    }
    if (start > capacity) {
      events = events.slice(start);
      start = 0;
    }
  }

  return {
    push(more) {
      for (const event of more) {
        events.push(event);
        bytes += event.bytes;
      }
      trim();
    },
    after(g) {
      const first = events[start];
      if (first === undefined || g + 1 < first.g) return undefined;
      return events.slice(start + (g + 1 - first.g));
    },
    clear() {
      events = [];
      start = 0;
      bytes = 0;
    },
    size: () => events.length - start,
  };
}
