import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#db/client.ts';
import { assertOwnConnections } from '#server/boot/own-connections.ts';
import { StartRefused } from '#server/kernel/start-refused.ts';
import { startTransactionPooler } from '#tests/support/network/transaction-pooler.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';

let database: TestDatabase;
let pooler: Awaited<ReturnType<typeof startTransactionPooler>>;
let pooledUrl: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const address = new URL(database.appUrl);
  pooler = await startTransactionPooler(Number(address.port));
  address.port = String(pooler.port);
  pooledUrl = address.href;
});
afterAll(async () => {
  await pooler?.close();
  await database?.drop();
});

test('a pooler in transaction mode is refused at the start, with a sentence', async () => {
  await expect(assertOwnConnections(pooledUrl)).rejects.toThrow(StartRefused);
  await expect(assertOwnConnections(pooledUrl)).rejects.toThrow('a connection pooler in transaction mode');
});

test('the pooler of this test answers every query, so that nothing else is refused', async () => {
  const { sql, close } = connect(pooledUrl, { max: 3 });
  const rows = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => sql`select ${n}::int as n`));
  expect(rows.map(([row]) => row?.['n'])).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await sql.begin((tx) => tx`select pg_backend_pid() as pid`)).toHaveLength(1);
  await close();
});

test('Postgres itself is not refused', async () => {
  await expect(assertOwnConnections(database.appUrl)).resolves.toBeUndefined();
});
