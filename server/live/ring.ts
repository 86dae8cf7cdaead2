import type { StreamEvent } from './events.ts';

/** The newest events in memory, so that clients that come back cost no query (rule R1). */
export type Ring = {
  /** Events must follow each other without a gap. Of a control event, which no client is sent, only its place is kept. */
  push(events: readonly StreamEvent[]): void;
  /** The events after a position, or undefined where the ring no longer reaches back to it. */
  after(g: number): readonly StreamEvent[] | undefined;
  clear(): void;
  size(): number;
};

/** A UUID as a string of its own, with its place in a list. */
const ID_BYTES = 64;
/** The event's object, its empty lists and its place in the ring. */
const EVENT_BYTES = 200;
const NO_EVENT: StreamEvent = {
  g: 0,
  digest: '',
  permission: null,
  buildings: null,
  persons: [],
  text: '',
  bytes: 0,
  control: { kind: 'other' },
};

/**
 * @param options.capacity events kept
 * @param options.maxBytes of the memory that they take, roughly, so that long texts and lists cannot fill it
 */
export function createRing(options: { capacity?: number; maxBytes?: number } = {}): Ring {
  const { capacity = 10_000, maxBytes = 64 * 1024 * 1024 } = options;
  let events: StreamEvent[] = [];
  // Dropped from the front lazily: shifting ten thousand elements for each event would cost more than the event.
  let start = 0;
  let bytes = 0;

  function trim(): void {
    while (events.length - start > capacity || (bytes > maxBytes && start < events.length)) {
      bytes -= memoryOf(events[start] ?? NO_EVENT);
      // Nothing that was dropped stays in memory until the list is moved together.
      events[start] = NO_EVENT;
      start += 1;
    }
    if (start > events.length / 2) {
      events = events.slice(start);
      start = 0;
    }
  }

  return {
    push(more) {
      for (const event of more) {
        const kept = event.control === undefined ? event : { ...NO_EVENT, g: event.g, digest: event.digest };
        events.push(kept);
        bytes += memoryOf(kept);
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

function memoryOf({ text, bytes, buildings, persons }: StreamEvent): number {
  // One character that Latin-1 does not have makes the whole text take two bytes for each.
  const textBytes = bytes === text.length ? bytes : 2 * text.length;
  return EVENT_BYTES + textBytes + ID_BYTES * ((buildings?.length ?? 0) + persons.length);
}
