import type { AccessChange, LiveFrame, Presence, ResetReason } from '#shared/live/live.ts';
import type { View } from '#shared/views.ts';
import type { LiveClass } from '../classes.ts';
import type { EventPosition, StreamEvent } from '../events.ts';
import { type EncodeTail, encodeFrame, encodeMessage, splitEvents, splitPresence } from '../frames.ts';
import type { ReaderState } from '../reader.ts';
import type { Subscriber } from './subscriber.ts';

/** A client with more than this waiting in its socket is behind (rule T5). */
export const HIGH_WATER_BYTES = 256 * 1024;

/**
 * The number of clients that receive each bulk event of a pass, by the event's position. All these clients fetch new snapshots
 * at once, so they spread their requests according to this number.
 */
export type BulkRecipients = ReadonlyMap<number, number>;

export type Sender = {
  /**
   * Sends one frame, or several if the events do not fit one, to all members except some. A member whose socket is full
   * is passed to `onBehind`.
   */
  toClass(
    one: LiveClass<Subscriber>,
    events: readonly StreamEvent[],
    at: EventPosition,
    except: { has(member: Subscriber): boolean },
    crowds: BulkRecipients,
  ): void;
  /** Sends frames to one client; at least one, which may be empty. */
  toOne(
    subscriber: Subscriber,
    events: readonly StreamEvent[],
    at: EventPosition,
    more?: {
      reset?: { reason: ResetReason; crowd: number };
      access?: AccessChange | undefined;
      crowds?: BulkRecipients;
    },
  ): void;
  /**
   * Sends changes of presence, which are not in the event log and change no position. A member whose socket is full is passed to
   * `onBehind`, and gets the whole presence when it has caught up.
   */
  presenceToClass(one: LiveClass<Subscriber>, people: readonly Presence[]): void;
  /** Sends one client the whole presence that it may see, which replaces the presence that it knows. */
  presenceToOne(subscriber: Subscriber, people: readonly Presence[]): void;
  /** Drops the frames cached for the pass. */
  endPass(): void;
};

/** The content of one frame. */
type Run = { events: readonly StreamEvent[]; crowd: number | undefined; view: View | undefined };
type Encoded = { tail: string; frames: Map<string, Buffer> };

/** Encodes frames once and writes them to many sockets (rules F1 and F2). */
export function createSender(options: {
  state: () => Readonly<ReaderState>;
  encodeTail: EncodeTail;
  monotonicMs: () => number;
  onBehind: (subscriber: Subscriber) => void;
}): Sender {
  const { state, encodeTail, monotonicMs, onBehind } = options;
  // Frames of the pass by content, shared by classes that get the same events from the same position.
  let encoded = new Map<string, Encoded>();

  function shared(prev: number, { g, digest }: EventPosition, run: Run, readsDigests: boolean) {
    const { events, crowd, view } = run;
    // The text of an event differs by view.
    const key = `${view ?? ''} ${readsDigests} ${prev} ${g} ${events.map((event) => event.g).join()}`;
    let one = encoded.get(key);
    if (one === undefined) {
      const { epoch, head, at } = state();
      const position = { epoch, g, digest: readsDigests ? digest : undefined };
      one = { tail: encodeTail({ position, prev, head, at, events, crowd }), frames: new Map() };
      encoded.set(key, one);
    }
    return one;
  }

  /** The frame in two forms, with and without digests; each form is looked up once for all members that read this form. */
  function eachForm(prev: number, place: EventPosition, run: Run) {
    const made: { usual?: Encoded; older?: Encoded } = {};
    return (readsDigests: boolean): Encoded => {
      const form = readsDigests ? 'usual' : 'older';
      const one = made[form] ?? shared(prev, place, run, readsDigests);
      made[form] = one;
      return one;
    };
  }

  /** A frame at the client's own position, without events. */
  function presenceFrame({ at: place, readsDigests, requestId }: Subscriber, present: LiveFrame['present']) {
    const { epoch, head, at } = state();
    const { g, digest } = place;
    const position = { epoch, g, digest: readsDigests ? digest : undefined };
    const tail = encodeTail({ position, prev: g, head, at, events: [], present });
    return encodeFrame(encodeMessage(requestId, tail));
  }

  return {
    toClass(one, events, end, except, crowds) {
      const runs = splitEvents(events);
      for (const [index, run] of runs.entries()) {
        const place = placeAfter(run, index === runs.length - 1, end);
        const inForm = eachForm(one.g, place, {
          events: run,
          crowd: crowdOf(run, crowds),
          view: one.view,
        });
        for (const member of one.members) {
          if (except.has(member)) continue;
          if (member.outlet.bufferedBytes() > HIGH_WATER_BYTES) {
            onBehind(member);
            continue;
          }
          const { tail, frames } = inForm(member.readsDigests);
          let frame = frames.get(member.requestId);
          if (frame === undefined) {
            frame = encodeFrame(encodeMessage(member.requestId, tail));
            frames.set(member.requestId, frame);
          }
          member.outlet.write(frame);
          member.at = place;
        }
        one.g = place.g;
      }
      one.sentAt = monotonicMs();
    },
    toOne(subscriber, events, end, more = {}) {
      const { epoch, head, at } = state();
      const runs = splitEvents(events);
      for (const [index, run] of runs.entries()) {
        const place = placeAfter(run, index === runs.length - 1, end);
        const tail = encodeTail({
          position: { epoch, g: place.g, digest: subscriber.readsDigests ? place.digest : undefined },
          prev: subscriber.at.g,
          head,
          at,
          events: run,
          crowd: index === 0 && more.reset ? more.reset.crowd : crowdOf(run, more.crowds),
          // The first frame contains the reset and the access change, so that the client drops data before it gets new events.
          ...(index === 0 && { reset: more.reset?.reason, access: more.access }),
        });
        subscriber.outlet.write(encodeFrame(encodeMessage(subscriber.requestId, tail)));
        subscriber.at = place;
      }
    },
    presenceToClass(one, people) {
      for (const list of splitPresence(people)) {
        const frames = new Map<string, Buffer>();
        for (const member of one.members) {
          if (member.outlet.bufferedBytes() > HIGH_WATER_BYTES) {
            onBehind(member);
            continue;
          }
          const { g, digest } = member.at;
          const key = `${member.readsDigests} ${g} ${digest} ${member.requestId}`;
          const frame = frames.get(key) ?? presenceFrame(member, { people: list });
          frames.set(key, frame);
          member.outlet.write(frame);
          member.knowsPresence = true;
        }
      }
    },
    presenceToOne(subscriber, people) {
      for (const [index, list] of splitPresence(people).entries()) {
        const present = index === 0 ? { all: true as const, people: list } : { people: list };
        subscriber.outlet.write(presenceFrame(subscriber, present));
      }
      subscriber.knowsPresence = people.length > 0;
    },
    endPass() {
      if (encoded.size > 0) encoded = new Map();
    },
  };
}

/** The largest number of recipients among these events; undefined if none is a bulk event. */
function crowdOf(events: readonly StreamEvent[], crowds: BulkRecipients | undefined): number | undefined {
  const found = events.flatMap(({ g }) => crowds?.get(g) ?? []);
  return found.length === 0 ? undefined : Math.max(...found);
}

/** The position of a frame with this run: that of its last event, or for the last run, the end of the searched range. */
function placeAfter(run: readonly StreamEvent[], isLast: boolean, end: EventPosition): EventPosition {
  // A copy, because the argument may be a whole event or an object that changes later.
  const { g, digest } = (isLast ? undefined : run.at(-1)) ?? end;
  return { g, digest };
}
