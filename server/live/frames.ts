import {
  type AccessChange,
  formatPosition,
  type LiveFrame,
  type LivePosition,
  type Presence,
  type ResetReason,
} from '#shared/live/live.ts';
import type { StreamEvent } from './events.ts';

/** Largest frame (rule F2); a single longer event has a frame of its own. */
export const FRAME_MAX_BYTES = 64 * 1024;
/**
 * Room for the other fields of a frame. An access change with thousands of buildings exceeds it, and is sent without events.
 */
const ENVELOPE_BYTES = 1_024;

export type FrameParts = {
  /** Every frame contains a position (rule T1), because the stock client would otherwise forget the position that it has. */
  position: LivePosition;
  prev: number;
  head: number;
  /** ISO. */
  at: string;
  events: readonly StreamEvent[];
  reset?: ResetReason | undefined;
  crowd?: number | undefined;
  access?: AccessChange | undefined;
  present?: LiveFrame['present'];
};

/** Builds a message except for the request id at its beginning. */
export type EncodeTail = (parts: FrameParts) => string;

export const encodeTail: EncodeTail = ({
  position,
  prev,
  head,
  at,
  events,
  reset,
  crowd,
  access,
  present,
}) => {
  const id = JSON.stringify(formatPosition(position));
  const texts = events.map(({ text }) => text).join(',');
  const more =
    (reset === undefined ? '' : `,"reset":${JSON.stringify(reset)}`) +
    (crowd === undefined ? '' : `,"crowd":${crowd}`) +
    (access === undefined ? '' : `,"access":${JSON.stringify(access)}`) +
    (present === undefined ? '' : `,"present":${JSON.stringify(present)}`);
  const frame = `{"prev":${prev},"head":${head},"at":"${at}","events":[${texts}]${more}}`;
  // The stock client resumes from the outer id, and passes the inner pair to the application.
  return `"result":{"type":"data","id":${id},"data":{"id":${id},"data":${frame}}}}`;
};

/**
 * Completes a message.
 * @param requestId JSON of the client's id for its subscription
 */
export function encodeMessage(requestId: string, tail: string): string {
  return `{"id":${requestId},"jsonrpc":"2.0",${tail}`;
}

/**
 * Encodes a text message as one unmasked, unfragmented WebSocket frame, so that it is built once and written to many
 * sockets.
 */
export function encodeFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = 0x81; // final, text
  if (header === 2) frame[1] = length;
  else if (header === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, header);
  return frame;
}

/** Splits events into runs that fit a frame; returns at least one run, which may be empty. */
export function splitEvents(events: readonly StreamEvent[]): (readonly StreamEvent[])[] {
  const runs: StreamEvent[][] = [];
  let room = -1;
  for (const event of events) {
    const last = runs.at(-1);
    if (last === undefined || event.bytes + 1 > room) {
      runs.push([event]);
      room = FRAME_MAX_BYTES - ENVELOPE_BYTES - event.bytes;
    } else {
      last.push(event);
      room -= event.bytes + 1;
    }
  }
  return runs.length === 0 ? [[]] : runs;
}

/** Splits presence into lists that fit a frame; returns at least one, which may be empty. */
export function splitPresence(people: readonly Presence[]): Presence[][] {
  const lists: Presence[][] = [[]];
  let room = FRAME_MAX_BYTES - ENVELOPE_BYTES;
  for (const one of people) {
    const bytes = Buffer.byteLength(JSON.stringify(one)) + 1;
    if (bytes > room) {
      lists.push([]);
      room = FRAME_MAX_BYTES - ENVELOPE_BYTES;
    }
    lists.at(-1)?.push(one);
    room -= bytes;
  }
  return lists;
}
