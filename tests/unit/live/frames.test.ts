import { describe, expect, test } from 'vitest';
import * as library from 'ws';
import type { StreamEvent } from '#server/live/events.ts';
import { encodeFrame, encodeMessage, encodeTail, FRAME_MAX_BYTES, splitEvents } from '#server/live/frames.ts';

function event(g: number, text = `{"g":${g}}`): StreamEvent {
  return {
    ...{ g, digest: '0a1b2c3d', permission: null, buildings: null, persons: [] },
    text,
    bytes: Buffer.byteLength(text),
  };
}

describe('a frame', () => {
  test('live/F1 has the header that the library would give it', () => {
    // The library exports it without types: the frame as the library writes it.
    const { Sender } = library as unknown as { Sender: { frame(data: Buffer, options: object): Buffer[] } };
    for (const text of [0, 1, 125, 126, 127, 65_535, 65_536, 70_000].map((length) => 'x'.repeat(length))) {
      const theirs = Sender.frame(Buffer.from(text), {
        fin: true,
        rsv1: false,
        opcode: 1,
        mask: false,
        readOnly: true,
      });
      expect(encodeFrame(text).equals(Buffer.concat(theirs)), String(text.length)).toBe(true);
    }
    const accents = 'Größe 測試 🙂'.repeat(50);
    const theirs = Sender.frame(Buffer.from(accents), {
      fin: true,
      rsv1: false,
      opcode: 1,
      mask: false,
      readOnly: true,
    });
    expect(encodeFrame(accents).equals(Buffer.concat(theirs))).toBe(true);
  });

  test('live/T1 is always tracked, heartbeats, resets and access included', () => {
    const position = { epoch: '018f0000-0000-7000-8000-000000000001', g: 7 };
    const at = '2026-01-01T00:00:00.000Z';
    const change = { version: 2, lost: ['a'], gained: [], role: null, permissions: [], buildings: [] };
    for (const more of [{}, { reset: 'epoch' as const }, { access: change }]) {
      const text = encodeMessage(
        '"1"',
        encodeTail({ position, prev: 5, head: 9, at, events: [event(6), event(7)], ...more }),
      );
      const id = `${position.epoch}.7`;
      expect(JSON.parse(text)).toEqual({
        id: '1',
        jsonrpc: '2.0',
        result: {
          type: 'data',
          id,
          data: { id, data: { prev: 5, head: 9, at, events: [{ g: 6 }, { g: 7 }], ...more } },
        },
      });
    }
  });

  test('live/F2 is at most 64 KiB, unless one event alone is longer', () => {
    const position = { epoch: '018f0000-0000-7000-8000-000000000001', g: 7 };
    const events = Array.from({ length: 300 }, (_, g) =>
      event(g, JSON.stringify({ g, text: 'é'.repeat(g * 7) })),
    );
    const runs = splitEvents(events);
    expect(runs.flat()).toEqual(events);
    expect(runs.length).toBeGreaterThan(5);
    for (const run of runs) {
      const tail = encodeTail({ position, prev: 5, head: 9, at: '2026-01-01T00:00:00.000Z', events: run });
      expect(Buffer.byteLength(encodeMessage('1', tail))).toBeLessThanOrEqual(FRAME_MAX_BYTES);
    }
    const giant = event(2, JSON.stringify('x'.repeat(100_000)));
    expect(splitEvents([event(1), giant, event(3)]).map((run) => run.map(({ g }) => g))).toEqual([
      [1],
      [2],
      [3],
    ]);
    expect(splitEvents([])).toEqual([[]]);
  });
});
