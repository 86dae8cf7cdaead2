import { afterEach, describe, expect, test, vi } from 'vitest';
import { codeAt, lazyPageNames, pageAt } from '#web/app/page-code.ts';
import { pages } from '#web/app/pages.ts';
import { fetchOrReuseEarly, startEarlyRequest } from '#web/lib/trpc/early-requests.ts';

describe('the page at an address', () => {
  test.each(lazyPageNames)('%s is found by its own path, whatever stands in its places', (name) => {
    expect(pageAt(pages[name].path.replaceAll(/:\w+/g, '018f-x'))).toBe(name);
  });

  test('is none where the first files have it already, and none where there is no page', () => {
    expect(
      [pages.home.path, pages.unauthorized.path, '/no-such-page', '/operative-tasks/', '/scan/more'].map(
        pageAt,
      ),
    ).toEqual(Array.from({ length: 5 }, () => undefined));
    expect(codeAt('/no-such-page')).toEqual([]);
  });

  test('consists of itself, the header where there is one, and what a device keeps where it works offline', () => {
    expect(
      [pages.signIn.path, pages.dashboard.path, pages.operativeTasks.path].map((path) => codeAt(path).length),
    ).toEqual([1, 2, 3]);
  });
});

describe('an early answer', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** Answers with the number of requests so far. */
  function network() {
    let asked = 0;
    vi.stubGlobal('fetch', async (url: string) => {
      asked += 1;
      return new Response(`${url} ${asked}`);
    });
  }
  const read = async (url: string, init?: RequestInit) => (await fetchOrReuseEarly(url, init)).text();

  test('is taken by the first call, to its address, once', async () => {
    network();
    startEarlyRequest('/me');
    expect(await read('/me')).toBe('/me 1');
    expect(await read('/me')).toBe('/me 2');
  });

  test('is never used for a later request, even if it was not taken', async () => {
    network();
    startEarlyRequest('/me');
    expect(await read('/other')).toBe('/other 2');
    expect(await read('/me')).toBe('/me 3');
  });

  test('is abandoned when its taker gives up, and its failure is not passed on', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    startEarlyRequest('/me');
    const taken = fetchOrReuseEarly('/me', { signal: AbortSignal.abort(new Error('too long')) });
    await expect(taken).rejects.toThrow('too long');
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
    startEarlyRequest('/me');
    await expect(fetchOrReuseEarly('/me')).rejects.toThrow('no network');
  });
});
