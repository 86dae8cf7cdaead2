import type { AccessChange, Presence, ResetReason } from '#shared/live.ts';
import type { LiveClass } from './classes.ts';
import type { StreamEvent } from './events.ts';
import { type EncodeTail, encodeFrame, encodeMessage, splitEvents } from './frames.ts';
import type { ReaderState } from './reader.ts';
import type { Subscriber } from './subscriber.ts';

/** More than this waiting in a socket, and the client is behind (rule T5). */
export const HIGH_WATER_BYTES = 256 * 1024;

export type Sender = {
  /** One frame (or several, if it is much) for all members but some; a member without room is handed to `onBehind`. */
  toClass(
    one: LiveClass<Subscriber>,
    events: readonly StreamEvent[],
    g: number,
    except: { has(member: Subscriber): boolean },
  ): void;
  /** Frames for one client alone. At least one, be it empty. */
  toOne(
    subscriber: Subscriber,
    events: readonly StreamEvent[],
    g: number,
    more?: { reset?: ResetReason; access?: AccessChange | undefined },
  ): void;
  /** What is not of the record: no position moves. Whoever has no room in the socket misses it. */
  aside(one: LiveClass<Subscriber>, presence: Presence): void;
  /** Between two passes: what was encoded for the last one is of no more use. */
  endPass(): void;
};

/** Encodes frames once and writes them to many (rules F1 and F2). */
export function createSender(options: {
  state: () => Readonly<ReaderState>;
  encodeTail: EncodeTail;
  monotonicMs: () => number;
  onBehind: (subscriber: Subscriber) => void;
}): Sender {
  const { state, encodeTail, monotonicMs, onBehind } = options;
  // Classes that are sent the same from the same position share their frames, whatever else they may see.
  let encoded = new Map<string, { tail: string; frames: Map<string, Buffer> }>();

  function shared(prev: number, g: number, events: readonly StreamEvent[]) {
    const key = `${prev} ${g} ${events.map((event) => event.g).join()}`;
    let one = encoded.get(key);
    if (one === undefined) {
      const { epoch, head, at } = state();
      one = { tail: encodeTail({ position: { epoch, g }, prev, head, at, events }), frames: new Map() };
      encoded.set(key, one);
    }
    return one;
  }

  return {
    toClass(one, events, g, except) {
      const runs = splitEvents(events);
      for (const [index, run] of runs.entries()) {
        const position = index === runs.length - 1 ? g : (run.at(-1)?.g ?? g);
        const { tail, frames } = shared(one.g, position, run);
        for (const member of one.members) {
          if (except.has(member)) continue;
          if (member.outlet.bufferedBytes() > HIGH_WATER_BYTES) {
            onBehind(member);
            continue;
          }
          let frame = frames.get(member.requestId);
          if (frame === undefined) {
            frame = encodeFrame(encodeMessage(member.requestId, tail));
            frames.set(member.requestId, frame);
          }
          member.outlet.write(frame);
          member.g = position;
        }
        one.g = position;
      }
      one.sentAt = monotonicMs();
    },
    toOne(subscriber, events, g, more = {}) {
      const { epoch, head, at } = state();
      const runs = splitEvents(events);
      for (const [index, run] of runs.entries()) {
        const position = index === runs.length - 1 ? g : (run.at(-1)?.g ?? g);
        const tail = encodeTail({
          position: { epoch, g: position },
          prev: subscriber.g,
          head,
          at,
          events: run,
          // What may have to be dropped is told before what comes new.
          ...(index === 0 && more.reset !== undefined ? { reset: more.reset } : {}),
          ...(index === 0 && more.access !== undefined ? { access: more.access } : {}),
        });
        subscriber.outlet.write(encodeFrame(encodeMessage(subscriber.requestId, tail)));
        subscriber.g = position;
      }
    },
    aside(one, presence) {
      const { epoch, head, at } = state();
      const tails = new Map<number, string>();
      for (const { outlet, requestId, g } of one.members) {
        if (outlet.bufferedBytes() > HIGH_WATER_BYTES) continue;
        let tail = tails.get(g);
        if (tail === undefined) {
          tail = encodeTail({ position: { epoch, g }, prev: g, head, at, events: [], presence });
          tails.set(g, tail);
        }
        outlet.write(encodeFrame(encodeMessage(requestId, tail)));
      }
    },
    endPass() {
      if (encoded.size > 0) encoded = new Map();
    },
  };
}
