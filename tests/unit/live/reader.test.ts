import { afterEach, expect, test } from 'vitest';
import { createReader, type Reader } from '#server/live/reader.ts';
import { createRing } from '#server/live/ring.ts';
import type { Page } from '#server/live/source.ts';

const EPOCH = '0199a000-0000-7000-8000-000000000000';
/** Longer than a test: only wake-ups lead to reads. */
const POLL_MS = 600_000;

let reader: Reader | undefined;
afterEach(() => reader?.stop());

/** A started reader of a log. Each read sees the log as it was at the beginning of the read, and ends when a test ends it. */
async function startReader() {
  let head = 0;
  let begun = 0;
  const underWay: (() => void)[] = [];
  const refused = () => Promise.reject(new Error('not asked by a reader here'));
  reader = createReader({
    source: {
      after: (g) =>
        new Promise<Page>((resolve) => {
          const page = pageOf(g, head);
          begun += 1;
          underWay.push(() => resolve(page));
        }),
      visible: refused,
      digestAt: refused,
      accessHistory: refused,
      startEpoch: refused,
    },
    ring: createRing(),
    now: () => new Date(0),
    log: { warn: () => undefined, error: () => undefined },
    onPass: () => undefined,
    onEpoch: () => undefined,
    pollMs: POLL_MS,
  });
  const endRead = async () => {
    await expect.poll(() => underWay.length).toBe(1);
    underWay.pop()?.();
    // If there is another read, it begins before the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  };
  const started = reader.start();
  // The first read finds the epoch, the second the events.
  await endRead();
  await endRead();
  await started;
  const first = begun;
  return {
    ...{ reader, endRead },
    write: (g: number) => {
      head = g;
    },
    begun: () => begun - first,
  };
}

function pageOf(after: number, head: number): Page {
  const events = Array.from({ length: head - after }, (_, index) => ({
    ...{ g: after + index + 1, digest: '00000000', permission: null, buildings: null, persons: [] },
    ...{ text: '{}', bytes: 2 },
  }));
  const hash = (g: number) => (g === 0 ? null : `hash ${g}`);
  return { epoch: EPOCH, head, hashAt: hash(after), lastHash: hash(head), events };
}

test('an event that is told of twice is read once', async () => {
  const log = await startReader();
  log.write(1);
  log.reader.wake(1);
  log.reader.wake(1);
  await log.endRead();
  log.reader.wake(1);
  expect([log.begun(), log.reader.state().g]).toEqual([1, 1]);
});

test('an event that is told of during a read that began before it is read by another one', async () => {
  const log = await startReader();
  log.write(1);
  log.reader.wake(1);
  log.write(2);
  log.reader.wake(2);
  await log.endRead();
  await log.endRead();
  expect([log.begun(), log.reader.state().g]).toEqual([2, 2]);
});

test('a wake-up without a position leads to a read that begins after it', async () => {
  const log = await startReader();
  log.write(1);
  log.reader.wake(1);
  log.reader.wake();
  await log.endRead();
  await log.endRead();
  expect([log.begun(), log.reader.state().g]).toEqual([2, 1]);
});
