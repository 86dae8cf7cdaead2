import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ByteRate, takeBody } from '#server/http/byte-rate.ts';

const unlimited = () => new ByteRate(Number.POSITIVE_INFINITY);

describe('a rate of bytes', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is shared by all who ask, in the order in which they ask', async () => {
    const rate = new ByteRate(1_000_000);
    const passed: string[] = [];
    const take = async (name: string, pieces: number) => {
      for (let n = 0; n < pieces; n += 1) {
        await rate.wait(10_000);
        passed.push(name);
      }
    };
    const both = Promise.all([take('a', 3), take('b', 3)]);
    await vi.advanceTimersByTimeAsync(39);
    expect(passed).toEqual(['a', 'b', 'a']);
    await vi.advanceTimersByTimeAsync(21);
    expect(passed).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    await both;
  });

  test('saves nothing up while it is not used', async () => {
    const rate = new ByteRate(1_000_000);
    await vi.advanceTimersByTimeAsync(60_000);
    let passed = false;
    const wait = rate.wait(50_000).then(() => {
      passed = true;
    });
    await vi.advanceTimersByTimeAsync(49);
    expect(passed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await wait;
  });
});

describe('a body', () => {
  test.each([
    ['said', 300],
    ['not said', undefined],
  ])('is taken whole, its length %s', async (_what, length) => {
    const pieces = ['a', 'b', 'c'].map((sign) => Buffer.from(sign.repeat(100)));
    const bytes = await takeBody(Readable.from(pieces), length, 300, unlimited());
    expect(bytes?.toString()).toBe(`${'a'.repeat(100)}${'b'.repeat(100)}${'c'.repeat(100)}`);
  });

  test('that is too long by its own word is not begun', async () => {
    const body = new PassThrough();
    expect(await takeBody(body, 301, 300, unlimited())).toBeUndefined();
    expect(body.destroyed).toBe(false);
  });

  test.each([
    ['a shorter length', 250],
    ['no length', undefined],
  ])('with %s that turns out too long leaves the connection for the refusal', async (_what, length) => {
    const body = new PassThrough();
    for (let n = 0; n < 4; n += 1) body.write(Buffer.alloc(100));
    expect(await takeBody(body, length, 300, unlimited())).toBeUndefined();
    expect(body.destroyed).toBe(false);
  });

  test('that breaks off is an error of its sender', async () => {
    const body = new PassThrough();
    const taking = takeBody(body, 300, 300, unlimited());
    body.write(Buffer.alloc(100));
    body.destroy(new Error('aborted'));
    await expect(taking).rejects.toThrow('aborted');
  });
});
