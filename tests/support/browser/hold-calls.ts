import type { Page, Route } from 'playwright-core';

/** Holds the calls of a procedure until released; then they continue to the server, or get the given answer. */
export async function holdCalls(page: Page, procedure: string, answer = (route: Route) => route.continue()) {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(new RegExp(`/trpc/[^?]*${procedure}`), async (route) => {
    await held;
    await answer(route);
  });
  return release;
}
