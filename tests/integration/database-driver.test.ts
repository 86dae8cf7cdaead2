import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type DatabaseClient } from '#db/client.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let proxy: TcpProxy;
let client: DatabaseClient;
let owner: DatabaseClient;

beforeAll(async () => {
  database = await createTestDatabase();
  const address = new URL(database.appUrl);
  const port = Number(address.port);
  proxy = await startTcpProxy(() => port);
  address.port = String(proxy.port);
  client = connect(address.href, { max: 2 });
  owner = connect(database.ownerUrl, { max: 1 });
});

afterAll(async () => {
  await client?.close();
  await owner?.close();
  await proxy?.close();
  await database?.drop();
});

/**
 * Resolves with the results of six concurrent queries, once the client has noticed which of its connections were cut.
 */
async function answers(): Promise<unknown> {
  let got: unknown;
  await expect
    .poll(async () => {
      const rows = await Promise.all(Array.from({ length: 6 }, (_, n) => client.sql`select ${n}::int as n`));
      got = rows.map(([row]) => row?.['n']);
      return got;
    })
    .toBeDefined();
  return got;
}

// Without the fixes in db/driver.ts, the first test ends the process.
describe('a connection that breaks inside a transaction', () => {
  test('while a statement is under way, refuses the transaction and nothing else', async () => {
    for (let time = 0; time < 4; time += 1) {
      const broken = client.sql.begin(async (tx) => {
        await tx`select 1`;
        await tx.unsafe(`select pg_sleep(60) /* ${time} */`);
      });
      const refused = expect(broken).rejects.toThrow(/CONNECTION_CLOSED|ECONNRESET/);
      await expect
        .poll(
          () =>
            owner.sql`select 1 from pg_stat_activity where query = ${`select pg_sleep(60) /* ${time} */`}`,
        )
        .toHaveLength(1);
      proxy.cut();
      await refused;
      expect(await answers()).toEqual([0, 1, 2, 3, 4, 5]);
    }
  });

  test('between two statements, refuses the second, and no later transaction gets it', async () => {
    for (let time = 0; time < 4; time += 1) {
      let late: Promise<unknown> = Promise.resolve();
      let goOn = () => {};
      const another = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const broken = client.sql.begin(async (tx) => {
        await tx`select 1`;
        late = another.then(() => tx`create table stray (n int)`);
        proxy.cut();
        await late;
      });
      await expect(broken).rejects.toThrow(/CONNECTION_CLOSED|ECONNRESET/);
      // A later transaction is running, perhaps on the replacement connection, when the first one continues.
      const later = client.sql.begin(async (tx) => {
        await tx`select 1`;
        goOn();
        await late.catch(() => undefined);
      });
      await later.catch(() => undefined).finally(goOn);
      await expect(late).rejects.toThrow();
      expect(await answers()).toEqual([0, 1, 2, 3, 4, 5]);
      expect(await client.sql`select 1 from pg_class where relname = 'stray'`).toEqual([]);
    }
  });

  test('with a statement just being written, leaves the connection fit for use', async () => {
    for (let time = 0; time < 4; time += 1) {
      const broken = client.sql.begin(async (tx) => {
        await tx`select 1`;
        proxy.cut();
        await tx`select 2`;
      });
      await expect(broken).rejects.toThrow(/CONNECTION_CLOSED|ECONNRESET/);
      expect(await answers()).toEqual([0, 1, 2, 3, 4, 5]);
    }
  });

  test('while connections are being made again and again, refuses only what was asked then', async () => {
    const ending = performance.now() + 2_000;
    while (performance.now() < ending) {
      const asked = Array.from({ length: 4 }, () => client.sql.begin((tx) => tx`select pg_sleep(0.01)`));
      setTimeout(() => proxy.cut(), Math.random() * 30);
      // An unhandled rejection would end the server, and ends this test.
      await Promise.allSettled(asked);
    }
    expect(await answers()).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
