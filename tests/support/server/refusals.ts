import type { Route } from 'playwright-core';

const STATUS = { not_found: 404, unauthenticated: 401, internal: 500 } as const;

/** Answers every call of a request with the same error, in the server's format. */
export function refuseWith(code: keyof typeof STATUS) {
  return async (route: Route) => {
    const calls = new URL(route.request().url()).pathname.split(',').length;
    const error = { error: { message: code, code: -32603, data: { code, app: { code } } } };
    await route.fulfill({
      status: STATUS[code],
      contentType: 'application/json',
      body: JSON.stringify(Array.from({ length: calls }, () => error)),
    });
  };
}
