import { type AccessChange, formatPosition, type Presence, type ResetReason } from '#shared/live.ts';
import type { LiveClass } from './classes.ts';
import type { EventPosition, StreamEvent } from './events.ts';
import { type EncodeTail, encodeFrame, encodeMessage, splitEvents } from './frames.ts';
import type { ReaderState } from './reader.ts';
import type { Subscriber } from './subscriber.ts';

/** More than this waiting in a socket, and the client is behind (rule T5). */
export const HIGH_WATER_BYTES = 256 * 1024;

/** How many clients are sent each bulk event of a pass, by its position: all of them take new snapshots for it. */
export type BulkRecipients = ReadonlyMap<number, number>;

export type Sender = {
  /** One frame (or several, if it is much) for all members but some; a member without room is handed to `onBehind`. */
  toClass(
    one: LiveClass<Subscriber>,
    events: readonly StreamEvent[],
    at: EventPosition,
    except: { has(member: Subscriber): boolean },
    crowds: BulkRecipients,
  ): void;
  /** Frames for one client alone. At least one, be it empty. */
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
  /** What is not of the record: no position moves. Whoever has no room in the socket misses it. */
  sendPresence(one: LiveClass<Subscriber>, presence: Presence): void;
  /** Between two passes: what was encoded for the last one is of no more use. */
  endPass(): void;
};

/** What goes into one frame. */
type Run = { events: readonly StreamEvent[]; crowd: number | undefined };
type Encoded = { tail: string; frames: Map<string, Buffer> };

/** Encodes frames once and writes them to many (rules F1 and F2). */
export function createSender(options: {
  state: () => Readonly<ReaderState>;
  encodeTail: EncodeTail;
  monotonicMs: () => number;
  onBehind: (subscriber: Subscriber) => void;
}): Sender {
  const { state, encodeTail, monotonicMs, onBehind } = options;
  // Classes that are sent the same from the same position share their frames, whatever else they may see.
  let encoded = new Map<string, Encoded>();

  function shared(prev: number, { g, digest }: EventPosition, run: Run, readsDigests: boolean) {
    const { events, crowd } = run;
    const key = `${readsDigests} ${prev} ${g} ${events.map((event) => event.g).join()}`;
    let one = encoded.get(key);
    if (one === undefined) {
      const { epoch, head, at } = state();
      const position = { epoch, g, digest: readsDigests ? digest : undefined };
      one = { tail: encodeTail({ position, prev, head, at, events, crowd }), frames: new Map() };
      encoded.set(key, one);
    }
    return one;
  }

  /** With digests and without, each looked up once for all members that read it. */
  function eachForm(prev: number, place: EventPosition, run: Run) {
    const made: { usual?: Encoded; older?: Encoded } = {};
    return (readsDigests: boolean): Encoded => {
      const form = readsDigests ? 'usual' : 'older';
      const one = made[form] ?? shared(prev, place, run, readsDigests);
      made[form] = one;
      return one;
    };
  }

  return {
    toClass(one, events, end, except, crowds) {
      const runs = splitEvents(events);
      for (const [index, run] of runs.entries()) {
        const place = placeAfter(run, index === runs.length - 1, end);
        const inForm = eachForm(one.g, place, { events: run, crowd: crowdOf(run, crowds) });
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
          // What may have to be dropped is told before what comes new.
          ...(index === 0 && { reset: more.reset?.reason, access: more.access }),
        });
        subscriber.outlet.write(encodeFrame(encodeMessage(subscriber.requestId, tail)));
        subscriber.at = place;
      }
    },
    sendPresence(one, presence) {
      const { epoch, head, at } = state();
      const tails = new Map<string, string>();
      for (const { outlet, requestId, at: place, readsDigests } of one.members) {
        if (outlet.bufferedBytes() > HIGH_WATER_BYTES) continue;
        const { g } = place;
        const position = { epoch, g, digest: readsDigests ? place.digest : undefined };
        const key = formatPosition(position);
        let tail = tails.get(key);
        if (tail === undefined) {
          tail = encodeTail({ position, prev: g, head, at, events: [], presence });
          tails.set(key, tail);
        }
        outlet.write(encodeFrame(encodeMessage(requestId, tail)));
      }
    },
    endPass() {
      if (encoded.size > 0) encoded = new Map();
    },
  };
}

/** The largest crowd that any of these events makes ask; undefined where none does. */
function crowdOf(events: readonly StreamEvent[], crowds: BulkRecipients | undefined): number | undefined {
  const found = events.flatMap(({ g }) => crowds?.get(g) ?? []);
  return found.length === 0 ? undefined : Math.max(...found);
}

/** Where a frame with this run stands: at its last event, or, if it is the last one, as far as has been looked. */
function placeAfter(run: readonly StreamEvent[], isLast: boolean, end: EventPosition): EventPosition {
  // A copy: what was given may be a whole event, or move on.
  const { g, digest } = (isLast ? undefined : run.at(-1)) ?? end;
  return { g, digest };
}
