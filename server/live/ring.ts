import type { StreamEvent } from './events.ts';

/** The newest events in memory, so that reconnecting clients cost no query (rule R1). */
export type Ring = {
  /**
   * Appends events, which must be consecutive. For a control event, which is not sent to clients, only the position is stored.
   */
  push(events: readonly StreamEvent[]): void;
  /** The events after a position; undefined if the ring does not reach back to it. */
  after(g: number): readonly StreamEvent[] | undefined;
  clear(): void;
  size(): number;
};

/** A UUID string and its slot in an array. */
const ID_BYTES = 64;
/** An event's object, its empty arrays and its slot in the ring. */
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
 * Creates an empty ring.
 * @param options.capacity the number of events that it stores
 * @param options.maxBytes approximate memory of the events, so that long texts and lists cannot exhaust it
 */
export function createRing(options: { capacity?: number; maxBytes?: number } = {}): Ring {
  const { capacity = 10_000, maxBytes = 32 * 1024 * 1024 } = options;
  let events: StreamEvent[] = [];
  // Old events are removed lazily: shifting ten thousand elements per event would cost more than the event itself.
  let start = 0;
  let bytes = 0;

  function trim(): void {
    while (events.length - start > capacity || (bytes > maxBytes && start < events.length)) {
      bytes -= memoryOf(events[start] ?? NO_EVENT);
      // Releases the dropped event before the array is compacted.
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
  // A single character outside Latin-1 makes the engine store the whole text with two bytes per character.
  const textBytes = bytes === text.length ? bytes : 2 * text.length;
  return EVENT_BYTES + textBytes + ID_BYTES * ((buildings?.length ?? 0) + persons.length);
}
