import { createTRPCClient, type getFetch } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';
import { Listeners } from '../listeners.ts';
import { withServerTime } from '../time/server-clock.ts';
import { APP_HEADERS, fetchOrReuseEarly } from './early-requests.ts';
import { linksTo } from './trpc-links.ts';

/** Notified after each answer with status 401. */
export const shutOut = new Listeners();

const ask: ReturnType<typeof getFetch> = async (url, init) => {
  const answer = await withServerTime(() =>
    fetchOrReuseEarly(url, { ...init, signal: init?.signal ?? null }),
  );
  if (answer.status === 401) shutOut.tell();
  return answer;
};
const request = { url: '/trpc', headers: APP_HEADERS, fetch: ask };

/** Every procedure as a function that returns a promise, typed from the server's router. */
export const api = createTRPCClient<AppRouter>({ links: linksTo(request) });
