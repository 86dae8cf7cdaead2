import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchOrReuseEarly, startEarlyRequest } from '#web/lib/trpc/early-requests.ts';

const given = new Map<string, { cancelled: boolean }>();

beforeEach(() => {
  given.clear();
  vi.stubGlobal('fetch', async (url: string) => {
    const state = { cancelled: false };
    given.set(url, state);
    return new Response(
      new ReadableStream({
        cancel() {
          state.cancelled = true;
        },
      }),
    );
  });
});
afterEach(() => vi.unstubAllGlobals());

test('the first call takes the early answer to its address, later ones ask again', async () => {
  startEarlyRequest('/one');
  const early = given.get('/one');
  await fetchOrReuseEarly('/one');
  expect(given.get('/one')).toBe(early);
  await fetchOrReuseEarly('/one');
  expect(given.get('/one')).not.toBe(early);
});

test('an early answer that the first call does not take is given up, and no other', async () => {
  startEarlyRequest('/one');
  startEarlyRequest('/two');
  await fetchOrReuseEarly('/two');
  await vi.waitFor(() => expect(given.get('/one')).toEqual({ cancelled: true }));
  expect(given.get('/two')).toEqual({ cancelled: false });
});
