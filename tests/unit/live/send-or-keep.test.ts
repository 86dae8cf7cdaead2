import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Mutations } from '#web/live/mutations.ts';
import { Overlays } from '#web/live/overlay.ts';
import { StoppedError } from '#web/live/stream/wire-error.ts';

// A write that this device can store: however the server fails to answer, the write is stored under its operation id.

type Input = { operationId: string };
type Answer = { version: number };

/** Time of the injected clock; no wait of a test is longer. */
const SOON_MS = 2_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refusal = (code: string) => Object.assign(new Error(code), { data: { code, app: { code } } });
const noServer = () => Promise.reject(new TypeError('Failed to fetch'));
/** Never answers, and fails when the request is aborted. */
const noAnswer = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
  });

function setUp({ online = true, reachable = true } = {}) {
  const network = { online, reachable };
  const overlays = new Overlays();
  const mutations = new Mutations({
    overlays,
    tick: () => 0,
    isOnline: () => network.online,
    isReachable: () => network.reachable,
    backoff: () => 500,
  });
  const sent: { id: string; signal: AbortSignal }[] = [];
  const kept: string[] = [];
  const later = { keep: async (id: string): Promise<void> => void kept.push(id) };
  function run(
    answer: (signal: AbortSignal) => Promise<Answer>,
    { keep = later.keep, mustWait = (): boolean => false, onUncertain = () => {} } = {},
    row?: string,
  ) {
    const overlay =
      row === undefined
        ? undefined
        : { entity: 'task' as const, id: row, base: undefined, patch: { id: row } };
    const outcome = mutations.runOrKeep<object, Answer>(
      {
        input: {},
        overlay,
        onUncertain,
        send: (input, { signal }) => {
          sent.push({ id: (input as Input).operationId, signal });
          return answer(signal);
        },
      },
      { keep, mustWait },
    );
    outcome.catch(() => undefined);
    return outcome;
  }
  return { mutations, overlays, network, sent, kept, run };
}

describe('a write that is not answered', () => {
  test.each<[string, (signal: AbortSignal) => Promise<Answer>]>([
    ['because nothing listens', noServer],
    ['because nothing comes back', noAnswer],
  ])('%s is kept after two seconds, under its operation id, and no more is sent', async (_why, answer) => {
    const { run, sent, kept } = setUp();
    const outcome = run(answer);
    await vi.advanceTimersByTimeAsync(SOON_MS - 1);
    expect(kept).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe('kept');
    expect(new Set([...kept, ...sent.map(({ id }) => id)]).size).toBe(1);
    const attempts = sent.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(attempts);
    expect(kept).toHaveLength(1);
  });

  test('is given up where it hangs, so that its connection is free', async () => {
    const { run, sent } = setUp();
    const outcome = run(noAnswer);
    await vi.advanceTimersByTimeAsync(SOON_MS);
    await outcome;
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  test('stays shown by what shows the writes that wait on this device', async () => {
    const { run, overlays } = setUp({ online: false });
    const shown = { entity: 'task' as const, id: 'row', base: undefined, patch: { id: 'row' } };
    await run(noAnswer, { keep: async (id) => overlays.add(shown, id) }, 'row');
    expect([...overlays.snapshot().values()].map((group) => group.overlays.length)).toEqual([1]);
  });

  test('is kept at once when the page may be closed', async () => {
    const { run, mutations, kept } = setUp();
    const outcome = run(noAnswer);
    mutations.keepNow();
    expect(await outcome).toBe('kept');
    expect(kept).toHaveLength(1);
  });

  test('is kept without an attempt where there is no connection, and at once where the server is not heard', async () => {
    const offline = setUp({ online: false });
    expect(await offline.run(noAnswer)).toBe('kept');
    expect(offline.sent).toEqual([]);
    const unheard = setUp({ reachable: false });
    const outcome = unheard.run(noAnswer);
    await vi.advanceTimersByTimeAsync(0);
    expect(await outcome).toBe('kept');
  });

  test('is sent until it is answered where it cannot be kept', async () => {
    const { run, sent } = setUp();
    let answered = false;
    let uncertain = 0;
    const outcome = run(() => (answered ? Promise.resolve({ version: 7 }) : noServer()), {
      keep: () => Promise.reject(new Error('no storage')),
      onUncertain: () => {
        uncertain += 1;
      },
    });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(uncertain).toBe(1);
    answered = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toEqual({ version: 7 });
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  });

  test('says why it cannot be kept where there is no connection', async () => {
    const { run } = setUp({ online: false });
    const full = new Error('no storage');
    await expect(run(noAnswer, { keep: () => Promise.reject(full) })).rejects.toBe(full);
  });
});

describe('a write that is answered', () => {
  test('in time is not kept', async () => {
    const { run, kept } = setUp();
    expect(await run(async () => ({ version: 3 }))).toEqual({ version: 3 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(kept).toEqual([]);
  });

  test('with a refusal is not kept, and rejects with it', async () => {
    const { run, kept } = setUp();
    const refused = refusal('conflict');
    await expect(run(() => Promise.reject(refused))).rejects.toBe(refused);
    expect(kept).toEqual([]);
  });

  test('at sign-out ends without being kept', async () => {
    const { run, mutations, kept } = setUp();
    const outcome = run(noServer);
    await vi.advanceTimersByTimeAsync(100);
    mutations.stop();
    await expect(outcome).rejects.toBeInstanceOf(StoppedError);
    expect(kept).toEqual([]);
  });
});

describe('two writes of one row', () => {
  test('the second is kept behind the first, and never overtakes it', async () => {
    const { run, sent, kept } = setUp();
    const first = run(noAnswer, {}, 'row');
    const second = run(async () => ({ version: 9 }), { mustWait: () => kept.length > 0 }, 'row');
    await vi.advanceTimersByTimeAsync(2 * SOON_MS);
    expect([await first, await second]).toEqual(['kept', 'kept']);
    expect(sent).toHaveLength(1);
    expect(kept).toHaveLength(2);
  });
});
