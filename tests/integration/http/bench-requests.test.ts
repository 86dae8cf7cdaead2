import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createHttp, mountApp } from '#server/boot/app.ts';
import { LARGEST_REQUESTS } from '#tests/bench/data/largest-requests.ts';
import { EXPECTATIONS } from '#tests/support/expectations/expectations.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { PROCEDURES } from '#tests/support/server/procedures.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// The bench calls every procedure and every route, including new ones.

let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

test('there is a largest request of every route', async () => {
  const routes = new Set<string>();
  const app = createHttp(server.services.env);
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.add(`${each} ${url}`);
  });
  await mountApp(app, server.services);
  await app.ready();
  await app.close();
  // Left out: procedures, which have a table of their own, and HEAD of a route that also has GET and does the same.
  const isCalled = (route: string) =>
    !route.includes('/trpc/') &&
    (!route.startsWith('HEAD ') ||
      Object.hasOwn(LARGEST_REQUESTS, route) ||
      !routes.has(route.replace('HEAD', 'GET')));
  expect(Object.keys(LARGEST_REQUESTS).sort()).toEqual([...routes].filter(isCalled).sort());
});

test('a procedure that takes a list or a limit has an input of its own in the bench', () => {
  const grows = (input: z.ZodType) => {
    const described = JSON.stringify(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }));
    return described.includes('"type":"array"') || described.includes('"limit":');
  };
  // Without an issued challenge, a passkey is refused whatever it contains.
  const missing = PROCEDURES.filter(
    ({ path, inputs }) =>
      path !== 'users.addPasskey' && inputs.some(grows) && EXPECTATIONS[path]?.largest === undefined,
  );
  expect(missing.map(({ path }) => path)).toEqual([]);
});
