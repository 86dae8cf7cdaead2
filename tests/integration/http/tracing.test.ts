import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTracing } from '#server/adapters/tracing/trace.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { headersFor } from '#tests/support/server/client.ts';
import { type Collector, startCollector } from '#tests/support/server/collector.ts';
import { startTestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let collector: Collector;

beforeAll(async () => {
  database = await createTestDatabase();
  collector = await startCollector();
});
afterAll(async () => {
  await collector.close();
  await database.drop();
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

test('a call is a trace of its own, or part of its caller’s, down to its statements, without what was typed', async () => {
  const server = await startTestServer(database, { env: { otlpEndpoint: collector.url } });
  const admin = await createPerson(server.services, { role: 'admin' });
  const building = await createBuilding(server.services, { name: 'Harbour House' });
  const cookie = await signInAs(server, admin);
  const body = JSON.stringify({
    ...{ operationId: uuidv7(), id: uuidv7(), buildingId: building.id },
    ...{ title: 'A-typed-title', description: '', priority: 'low' },
  });
  const headers = { ...headersFor(server.url, cookie), 'content-type': 'application/json' };
  const traceparent = `00-${TRACE}-${CALLER}-01`;
  const init = { method: 'POST', headers: { ...headers, traceparent }, body };
  expect((await fetch(`${server.url}/trpc/issues.create`, init)).status).toBe(200);
  server.services.log.warn('outside of a call');
  await server.stop();

  const mine = collector.spans.filter(({ traceId }) => traceId === TRACE);
  const request = mine.find(({ parentSpanId }) => parentSpanId === CALLER);
  expect(request?.name).toBe('POST /trpc/:path');
  const attributeOf = (key: string) => request?.attributes.find((one) => one.key === key)?.value;
  expect(attributeOf('http.response.status_code')).toEqual({ intValue: 200 });
  const call = mine.find(({ name }) => name === 'issues.create');
  expect(call?.parentSpanId).toBe(request?.spanId);
  const statements = mine.filter(({ parentSpanId }) => parentSpanId === call?.spanId);
  expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['INSERT', 'SELECT']));
  const everything = collector.received.join();
  expect(everything).toContain('"lintel"');
  for (const hidden of ['A-typed-title', cookie, admin.email]) expect(everything).not.toContain(hidden);
  expect(server.logged.join()).not.toContain('trace_id');
  expect(isTracing()).toBe(false);
});

test('a collector that is not there is a warning, and delays nothing', async () => {
  const server = await startTestServer(database, { env: { otlpEndpoint: 'http://127.0.0.1:1' } });
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  await server.stop();
  expect(server.logged.join()).toContain('traces could not be sent');
});

test('a line of the log leads to its trace', async () => {
  const server = await startTestServer(database, { env: { otlpEndpoint: collector.url } });
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'quite-another-phrase' });
  const headers = { ...headersFor(server.url), 'content-type': 'application/json' };
  const traceparent = `00-${TRACE}-${CALLER}-01`;
  const init = { method: 'POST', headers: { ...headers, traceparent }, body };
  expect((await fetch(`${server.url}/trpc/session.signIn`, init)).status).toBe(401);
  await server.stop();
  const line = server.logged.find((one) => one.includes('a sign-in was refused'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ trace_id: TRACE, span_id: expect.any(String) });
});
