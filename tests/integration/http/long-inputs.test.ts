import { createTRPCClient, TRPCClientError } from '@trpc/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppRouter } from '#server/boot/router.ts';
import { DOCUMENT_SELECTION_MAX, FOLDER_PATHS_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { addFolder } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { linksTo } from '#web/lib/trpc/trpc-links.ts';

// Behind a proxy, a URL has room for eight thousand characters: longer inputs are posted.

let database: TestDatabase;
let server: TestServer;
let cookie: string;
let asked: { method: string; length: number }[];

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** The client of the pages; its requests are recorded. */
function client() {
  asked = [];
  return createTRPCClient<AppRouter>({
    links: linksTo({
      url: `${server.url}/trpc`,
      headers: headersFor(server.url, cookie),
      fetch: (url, init) => {
        asked.push({ method: init?.method ?? 'GET', length: String(url).length });
        return fetch(url, init as RequestInit);
      },
    }),
  });
}

test('a query of any permitted size is answered', async () => {
  const buildingId = (await createBuilding(server.services)).id;
  const first = await addFolder(createTestClient(server.url, cookie), { buildingId, name: 'Plans' });
  const ids = [first, ...Array.from({ length: DOCUMENT_SELECTION_MAX - 1 }, () => uuidv7())];
  const failed = await client()
    .documents.subtree.query({ ids })
    .catch((error: unknown) => error);
  // The error is from the procedure, because only one of the ids exists.
  expect(failed).toBeInstanceOf(TRPCClientError);
  expect(failed).toMatchObject({ data: { app: { code: 'not_found' } } });
  const names = Array.from({ length: FOLDER_PATHS_MAX }, (_, n) => `${'ä'.repeat(150)} ${n}.pdf`);
  const place = { at: 'building' } as const;
  const found = await client().documents.sameNames.query({ buildingId, place, names });
  expect(found).toBeDefined();
  expect(asked).toMatchObject([{ method: 'POST' }]);
});

test('queries made at the same time share a URL as long as it has room', async () => {
  const api = client();
  const ids = Array.from({ length: 50 }, () => uuidv7());
  await Promise.allSettled(Array.from({ length: 10 }, () => api.documents.subtree.query({ ids })));
  expect(asked.length).toBeGreaterThan(1);
  for (const { method, length } of asked) {
    expect(method).toBe('GET');
    expect(length).toBeLessThanOrEqual(6_000 + server.url.length);
  }
});

test('a posted query must come from a page of ours', async () => {
  const { 'x-app': _app, ...headers } = headersFor(server.url, cookie);
  const answer = await fetch(`${server.url}/trpc/session.me`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(answer.status).toBe(403);
});
