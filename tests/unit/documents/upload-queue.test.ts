import { describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '#tests/support/patience.ts';
import { seededRandom } from '#tests/support/random.ts';
import type { RetryDelays } from '#web/features/documents/upload/retry-delays.ts';
import { isSettled, UploadQueue } from '#web/features/documents/upload/upload-queue.ts';
import {
  type Sendable,
  type SendOptions,
  type StoredUpload,
  type Upload,
  UploadError,
  type UploadTransport,
} from '#web/features/documents/upload/upload-types.ts';

const PLACE = { at: 'building' } as const;
const TARGET = { buildingId: '00000000-0000-4000-8000-000000000001', place: PLACE };
const AT_ONCE = 4;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const fileOf = (name: string, bytes: number) => new File([new Uint8Array(bytes)], name, { lastModified: 1 });

/** Waits that end at the next turn of the event loop, and are recorded. */
function quickWaits() {
  const waits: { failures: number; leastMs: number }[] = [];
  const port: RetryDelays = {
    async afterFailure(failures, leastMs, signal) {
      waits.push({ failures, leastMs });
      await turn();
      signal.throwIfAborted();
    },
  };
  return { waits, port };
}

type Cut = (upload: Sendable, held: number) => UploadError | undefined;

/** A server that takes ten bytes per turn, and may break the connection before each piece. */
function server(cut: Cut = () => undefined) {
  const held = new Map<string, number>();
  const received = new Map<string, number>();
  const stored: string[] = [];
  const ended: { id: string; address: string | undefined }[] = [];
  const addresses = new Set<string>();
  let running = 0;
  let most = 0;
  let issued = 0;

  async function send(
    upload: Sendable,
    from: string | undefined,
    options: SendOptions,
  ): Promise<StoredUpload> {
    running += 1;
    most = Math.max(most, running);
    try {
      issued += 1;
      const address = from ?? `${upload.id}/${issued}`;
      if (from === undefined) addresses.add(address);
      else if (!addresses.has(from)) throw new UploadError('expired', 'expired');
      options.onAddress(address);
      for (;;) {
        await turn();
        options.signal.throwIfAborted();
        const has = held.get(upload.id) ?? 0;
        const error = cut(upload, has);
        if (error !== undefined) throw error;
        if (has >= upload.bytes) break;
        const piece = Math.min(10, upload.bytes - has);
        held.set(upload.id, has + piece);
        received.set(upload.id, (received.get(upload.id) ?? 0) + piece);
        options.onProgress(has + piece);
      }
      stored.push(upload.id);
      return { id: upload.id, documentId: upload.id, version: 1, fileName: upload.name };
    } finally {
      running -= 1;
    }
  }
  const transport: UploadTransport = {
    begin: (upload, options) => {
      held.delete(upload.id);
      return send(upload, undefined, options);
    },
    resume: send,
    async cancel({ id }, address) {
      await turn();
      ended.push({ id, address });
      held.delete(id);
      return { stored: stored.includes(id) };
    },
  };
  return { transport, held, received, stored, ended, addresses, mostAtOnce: () => most };
}

function setting(cut?: Cut) {
  const at = server(cut);
  const { waits, port } = quickWaits();
  const ends: (readonly Upload[])[] = [];
  const remembered = new Set<string>();
  const queue = new UploadQueue({
    transport: at.transport,
    waits: port,
    memory: { begun: ({ id }) => remembered.add(id), ended: (id) => remembered.delete(id) },
    onBatchEnd: (_batch, uploads) => ends.push(uploads),
  });
  const add = (files: readonly File[], isTaken = false) =>
    queue.add(
      files.map((file) => ({ file, target: TARGET, isTaken })),
      TARGET,
    );
  const uploads = () => queue.snapshot().uploads;
  const states = () => uploads().map(({ state }) => state);
  const settled = () => vi.waitFor(() => expect(uploads().every(isSettled)).toBe(true), PATIENCE);
  return { ...at, waits, ends, remembered, queue, add, uploads, states, settled };
}

describe('the queue of uploads', () => {
  test('sends each file, four at a time, and tells once', async () => {
    const at = setting();
    at.add(Array.from({ length: 9 }, (_, n) => fileOf(`${n}.txt`, 25)));
    await at.settled();
    expect(at.states()).toEqual(Array(9).fill('stored'));
    expect(at.mostAtOnce()).toBe(AT_ONCE);
    expect(at.ends.map((uploads) => uploads.length)).toEqual([9]);
    expect(at.uploads().every(({ file }) => file === undefined)).toBe(true);
    expect(at.remembered.size).toBe(0);
  });

  test('an empty file is stored', async () => {
    const at = setting();
    at.add([fileOf('empty.txt', 0)]);
    await at.settled();
    expect(at.states()).toEqual(['stored']);
  });

  test('one bad file of eight: seven are stored, it is named, and Retry stores it', async () => {
    let isBad = true;
    const at = setting(({ name }) =>
      isBad && name === '3.txt' ? new UploadError('refused', 'No room') : undefined,
    );
    at.add(Array.from({ length: 8 }, (_, n) => fileOf(`${n}.txt`, 25)));
    await at.settled();
    expect(at.stored).toHaveLength(7);
    const failed = at.uploads().filter(({ state }) => state === 'failed');
    expect(failed.map(({ name, failure }) => [name, failure])).toEqual([['3.txt', 'No room']]);

    isBad = false;
    at.queue.retry(failed.map(({ id }) => id));
    await at.settled();
    expect(at.stored).toHaveLength(8);
    // The second notice is about the upload that was tried again.
    expect(at.ends.map((uploads) => uploads.length)).toEqual([8, 1]);
  });

  test.each(Array.from({ length: 30 }, (_, n) => `cuts ${n}`))(
    'random cuts, faults and expired addresses: all bytes arrive once (%s)',
    async (seed) => {
      const random = seededRandom(seed);
      const at = setting((upload) => {
        const kind = random.weighted({ none: 20, cut: 4, fault: 1, expired: 1 });
        if (kind === 'none') return undefined;
        // The address is no longer valid, as after an hour.
        if (kind === 'expired')
          for (const address of at.addresses) if (address.startsWith(upload.id)) at.addresses.delete(address);
        return new UploadError(kind, kind);
      });
      const files = Array.from({ length: 7 }, (_, n) => fileOf(`${n}.bin`, random.below(200)));
      at.add(files);
      await at.settled();
      expect(at.states()).toEqual(Array(7).fill('stored'));
      // Bytes that the server has before a cut are not sent again. The first try begins at 0, because nothing was sent before.
      const resent = at.uploads().filter(({ id, bytes }) => (at.received.get(id) ?? 0) > bytes);
      expect(resent).toEqual([]);
      expect(at.ends).toHaveLength(1);
    },
  );

  test('a server that always fails gets eight tries; a missing connection is tried without an end', async () => {
    const faulty = setting(() => new UploadError('fault', 'Too busy'));
    faulty.add([fileOf('a.txt', 10)]);
    await faulty.settled();
    expect(faulty.uploads()[0]).toMatchObject({ state: 'failed', failure: 'Too busy' });
    expect(faulty.waits).toHaveLength(7);
    // The upload stays remembered, because the server may have a part of it.
    expect(faulty.remembered.size).toBe(1);

    let left = 40;
    const cut = setting(() => (left-- > 0 ? new UploadError('cut', 'cut') : undefined));
    cut.add([fileOf('a.txt', 10)]);
    await cut.settled();
    expect(cut.states()).toEqual(['stored']);
  });

  test('lost connections are no faults of the server: after many of them one fault is tried again', async () => {
    let left = 50;
    const at = setting(() => {
      left -= 1;
      if (left < 0) return undefined;
      return new UploadError(left === 0 ? 'fault' : 'cut', 'Too busy');
    });
    at.add([fileOf('a.txt', 10)]);
    await at.settled();
    expect(at.states()).toEqual(['stored']);
  });

  test('a server that asks to be left alone is, for as long as it says', async () => {
    let left = 20;
    const at = setting(() => (left-- > 0 ? new UploadError('fault', 'Busy', { waitMs: 5_000 }) : undefined));
    at.add([fileOf('a.txt', 10)]);
    await at.settled();
    expect(at.states()).toEqual(['stored']);
    expect(new Set(at.waits.map(({ leastMs }) => leastMs))).toEqual(new Set([5_000]));
  });

  test('names that exist are asked about once a batch, also where they are found late', async () => {
    const late = new Set(['b.txt']);
    const at = setting(({ name, onSameName }) =>
      late.has(name) && onSameName === 'refuse' ? new UploadError('taken', 'taken') : undefined,
    );
    const batch = at.queue.add(
      ['a.txt', 'b.txt', 'c.txt'].map((name) => ({
        file: fileOf(name, 20),
        target: TARGET,
        isTaken: name === 'a.txt',
      })),
      TARGET,
    );
    await vi.waitFor(() => expect(at.states()).toEqual(['taken', 'taken', 'stored']), PATIENCE);
    expect(at.ends).toEqual([]);
    late.add('d.txt');
    at.queue.answer(batch, 'version');
    await at.settled();
    expect(at.uploads().map(({ onSameName }) => onSameName)).toEqual(['version', 'version', 'refuse']);
    expect(at.states()).toEqual(['stored', 'stored', 'stored']);
  });

  test('Skip uploads nothing of what exists', async () => {
    const at = setting();
    const batch = at.add([fileOf('a.txt', 10)], true);
    at.queue.answer(batch, 'skip');
    expect(at.states()).toEqual(['cancelled']);
    expect(at.stored).toEqual([]);
    expect(at.ends).toHaveLength(1);
  });

  test('cancel ends one and lets the next begin; what is over can be cleared', async () => {
    const stuck = new Set(['0', '1', '2', '3']);
    const at = setting(({ name }) => (stuck.has(name) ? new UploadError('cut', 'cut') : undefined));
    at.add(Array.from({ length: 6 }, (_, n) => fileOf(String(n), 20)));
    await turn();
    expect(at.states().slice(4)).toEqual(['waiting', 'waiting']);
    at.queue.cancel(at.uploads()[0]?.id ?? '');
    await vi.waitFor(() => expect(at.states().slice(4)).toEqual(['stored', 'stored']), PATIENCE);
    at.queue.cancelAll();
    await at.settled();
    expect(at.states()).toEqual([...Array(4).fill('cancelled'), 'stored', 'stored']);
    expect(at.remembered.size).toBe(0);
    at.queue.clear();
    expect(at.uploads()).toEqual([]);
  });

  test('a cancelled upload is ended on the server, at its address if there is one', async () => {
    const at = setting(() => new UploadError('cut', 'cut'));
    at.add(Array.from({ length: 6 }, (_, n) => fileOf(String(n), 20)));
    await turn();
    at.queue.cancelAll();
    const begun = at.uploads().slice(0, AT_ONCE);
    await vi.waitFor(() => expect(at.ended.length).toBeGreaterThanOrEqual(AT_ONCE), PATIENCE);
    // The uploads that still waited have not been announced.
    expect(new Set(at.ended.map(({ id }) => id))).toEqual(new Set(begun.map(({ id }) => id)));
    for (const { id, address } of at.ended) expect(address).toMatch(id);
    expect(at.states()).toEqual(Array(6).fill('cancelled'));

    at.queue.resumeUpload({ id: 'one', target: TARGET, onSameName: 'refuse' }, fileOf('a.txt', 50), 30);
    at.queue.cancel('one');
    await vi.waitFor(() => expect(at.ended.at(-1)?.id).toBe('one'), PATIENCE);
  });

  test('cancelled after its last byte it is shown as what it is: uploaded', async () => {
    const at = setting();
    at.add([fileOf('a.txt', 10)]);
    const [{ id } = { id: '' }] = at.uploads();
    at.stored.push(id);
    at.queue.cancel(id);
    await vi.waitFor(() => expect(at.states()).toEqual(['stored']), PATIENCE);
  });

  test('an upload of an earlier page goes on where the server stands', async () => {
    const at = setting();
    at.held.set('one', 30);
    at.queue.resumeUpload({ id: 'one', target: TARGET, onSameName: 'refuse' }, fileOf('a.txt', 50), 30);
    await at.settled();
    expect(at.received.get('one')).toBe(20);
    expect(at.ends).toHaveLength(1);
  });

  test('signing out ends all without a word, and keeps what was begun in memory', async () => {
    const at = setting(() => new UploadError('cut', 'cut'));
    at.add([fileOf('a.txt', 10)]);
    await turn();
    at.queue.stop();
    await turn();
    await turn();
    expect(at.uploads()).toEqual([]);
    expect(at.remembered.size).toBe(1);
    expect(at.ends).toEqual([]);
  });

  test('thousands of files do not slow it down, and listeners hear of them together', async () => {
    const at = setting();
    let told = 0;
    at.queue.subscribe(() => {
      told += 1;
      at.queue.snapshot();
    });
    at.add(Array.from({ length: 5_000 }, (_, n) => fileOf(String(n), 0)));
    await turn();
    expect(told).toBeLessThan(50);
    at.queue.cancelAll();
    await at.settled();
    expect(at.ends).toHaveLength(1);
  });
});
