import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterFirstQueries } from '#web/lib/use-is-settled.ts';

let client: QueryClient;

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});
afterEach(() => {
  client.clear();
  vi.useRealTimers();
});

/** Begins a query. @returns functions that answer it, or let it fail */
function begin(name: string) {
  let resolve: (answer: string) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<string>((...both) => {
    [resolve, reject] = both;
  });
  const asked = client.fetchQuery({ queryKey: [name], queryFn: () => promise }).catch(() => undefined);
  const settle = async (work: () => void) => {
    work();
    await asked;
    await vi.advanceTimersByTimeAsync(0);
  };
  return { answer: () => settle(() => resolve(name)), fail: () => settle(() => reject(new Error(name))) };
}

test('waits until all queries that have begun are answered or have failed', async () => {
  await begin('of the sign-in page').answer();
  const onAnswered = vi.fn();
  afterFirstQueries(client, onAnswered);
  const [one, other] = [begin('one'), begin('other')];
  await one.answer();
  expect(onAnswered).not.toHaveBeenCalled();
  await other.fail();
  expect(onAnswered).toHaveBeenCalledTimes(1);
  await begin('later').answer();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(onAnswered).toHaveBeenCalledTimes(1);
});

test('does not wait for an answer that does not come, nor after it was stopped', async () => {
  const [onAnswered, stopped] = [vi.fn(), vi.fn()];
  afterFirstQueries(client, onAnswered);
  afterFirstQueries(client, stopped)();
  begin('lost');
  await vi.advanceTimersByTimeAsync(2_999);
  expect(onAnswered).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onAnswered).toHaveBeenCalledTimes(1);
  expect(stopped).not.toHaveBeenCalled();
});
