import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { sql } from 'drizzle-orm';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { behind, connect, type DatabaseClient, inTransaction } from '#db/client.ts';
import { type Given, sqlStatement } from '#db/statement.ts';
import { isDuplicate } from '#server/kernel/database-errors.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/network/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { seededRandom } from '#tests/support/random.ts';

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

// With the driver's own transactions, the first test ends the process.
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
    const random = seededRandom('cuts while connecting');
    for (let time = 0; time < 60; time += 1) {
      const asked = Array.from({ length: 4 }, () => client.sql.begin((tx) => tx`select pg_sleep(0.01)`));
      setTimeout(() => proxy.cut(), random.below(30));
      // An unhandled rejection would end the server, and ends this test.
      await Promise.allSettled(asked);
    }
    expect(await answers()).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('a transaction', () => {
  beforeAll(() => owner.sql`create table notes (id int primary key, text text)`.then(grantNotes));
  beforeEach(() => owner.sql`truncate notes`);

  const grantNotes = () =>
    owner.sql`grant select, insert on notes to ${owner.sql(new URL(database.appUrl).username)}`;
  const stored = () => owner.sql<{ id: number }[]>`select id from notes order by id`;
  const addNote = sqlStatement(
    (given: Given<{ id: number }>) => sql`insert into notes (id, text) values (${given.id}::int, 'new')`,
  );

  test('sends its commit together with its last statements', async () => {
    await inTransaction(client.db, {}, async (tx, commit) => {
      await Promise.all([addNote(tx, { id: 1 }), addNote(tx, { id: 2 }), commit()]);
    });
    expect(await stored()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('of which a statement failed is rolled back by the commit sent behind it, and says why', async () => {
    const refused = inTransaction(client.db, {}, async (tx, commit) => {
      await Promise.all([addNote(tx, { id: 1 }), addNote(tx, { id: 1 }), addNote(tx, { id: 2 }), commit()]);
    });
    await expect(refused).rejects.toSatisfy((error) => isDuplicate(error, 'notes_pkey'));
    expect(await stored()).toEqual([]);
    expect(await answers()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('whose work did not look at a failed statement is rolled back', async () => {
    const refused = inTransaction(client.db, {}, async (tx) => {
      await addNote(tx, { id: 1 });
      addNote(tx, { id: 1 }).catch(() => undefined);
    });
    await expect(refused).rejects.toSatisfy((error) => isDuplicate(error, 'notes_pkey'));
    expect(await stored()).toEqual([]);
  });

  test('that cannot begin changes nothing, whatever its work has handed over', async () => {
    const refused = client.sql.begin('isolation level of no kind', async (tx) => {
      await Promise.all([
        tx`select ${1}::int`,
        tx`insert into notes (id) values (${1})`,
        tx`insert into notes (id) values (${2})`,
      ]);
    });
    await expect(refused).rejects.toThrow('syntax error');
    expect(await stored()).toEqual([]);
    expect(await answers()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('refuses a statement that comes after its end', async () => {
    let late: (() => Promise<unknown>) | undefined;
    await inTransaction(client.db, {}, async (tx) => {
      await addNote(tx, { id: 1 });
      late = () => addNote(tx, { id: 2 });
    });
    await expect(late?.()).rejects.toThrow();
    expect(await stored()).toEqual([{ id: 1 }]);
  });

  test('keeps what came before and after a savepoint that failed', async () => {
    await inTransaction(client.db, {}, async (tx) => {
      await addNote(tx, { id: 1 });
      const part = tx.transaction(async (inner) => {
        await addNote(inner, { id: 2 });
        await addNote(inner, { id: 1 });
      });
      await expect(part).rejects.toSatisfy((error) => isDuplicate(error));
      await addNote(tx, { id: 3 });
    });
    expect(await stored()).toEqual([{ id: 1 }, { id: 3 }]);
  });

  test('behind a gate is refused with the error of the gate, although its statements were sent', async () => {
    const refused = inTransaction(client.db, {}, async (tx) => {
      const gate = addNote(tx, { id: 1 }).then(() => Promise.reject(new Error('the gate is shut')));
      await addNote(behind(tx, gate), { id: 1 });
    });
    await expect(refused).rejects.toThrow('the gate is shut');
    expect(await stored()).toEqual([]);
  });
});

test('a value that cannot be written refuses its own statement and no other', async () => {
  const slow = client.sql`select pg_sleep(0.1), ${1}::int as n`.execute();
  const bad = client.sql.unsafe('select $1::text', [undefined as never]).execute();
  await expect(bad).rejects.toThrow('UNDEFINED_VALUE');
  expect((await slow)[0]?.['n']).toBe(1);
  expect(await answers()).toEqual([0, 1, 2, 3, 4, 5]);
});

describe('rows that are copied out', () => {
  const copy = (sql: Sql, bytes: number) =>
    sql.unsafe(`copy (select repeat('x', ${bytes}) from generate_series(1, 3)) to stdout`).readable();

  test('leave the connection fit for use, however late they are read', async () => {
    const { sql: one, close } = connect(database.appUrl, { max: 1 });
    for (const bytes of [1, 20_000, 70_000, 500_000]) {
      expect((await buffer(await copy(one, bytes))).byteLength).toBe(3 * (bytes + 1));
      expect(await one`select 1 as n`).toEqual([{ n: 1 }]);
    }
    await close();
  });

  test('and whose reader goes away leave it fit for use, too', async () => {
    const { sql: one, close } = connect(database.appUrl, { max: 1 });
    for (const bytes of [1, 20_000, 70_000, 500_000]) {
      const stream = await copy(one, bytes);
      await new Promise<void>((resolve) => stream.once('readable', resolve));
      stream.destroy();
      expect(await one`select 1 as n`).toEqual([{ n: 1 }]);
    }
    await close();
  });
});

test('rows that are copied in and refused at their end give an error, and leave the connection fit for use', async () => {
  const { sql: one, close } = connect(database.ownerUrl, { max: 1 });
  await one`create table copied (n int primary key)`;
  const lines = (...values: string[]) => Readable.from([Buffer.from(values.join('\n'))]);
  for (const values of [['x\n'], ['1', '2', 'x\n'], ['1', '1\n']]) {
    const into = await one.unsafe('copy copied from stdin').writable();
    await expect(pipeline(lines(...values), into)).rejects.toThrow(/invalid input syntax|duplicate key/);
    expect(await one`select count(*)::int as n from copied`).toEqual([{ n: 0 }]);
  }
  await close();
});

describe('prepared statements that a connection has forgotten', () => {
  const numbered = sqlStatement(
    (given: Given<{ n: number }>) => sql<{ n: number }>`select ${given.n}::int as n`,
  );
  const next = sqlStatement(
    (given: Given<{ n: number }>) => sql<{ n: number }>`select ${given.n}::int + 1 as n`,
  );

  for (const forget of ['deallocate all', 'discard all']) {
    test(`after ${forget} are prepared again, without an error`, async () => {
      const { db, sql: driver, close } = connect(database.appUrl, { max: 1 });
      const alone = async () => (await Promise.all([1, 2, 3].map((n) => numbered(db, { n })))).flat();
      const together = () =>
        inTransaction(db, {}, async (tx, commit) => {
          const rows = [numbered(tx, { n: 1 }), next(tx, { n: 1 })];
          const [one, other] = await Promise.all([...rows, commit()]);
          return [one, other];
        });
      for (const ask of [alone, together]) {
        const before = await ask();
        await driver.unsafe(forget);
        expect(await ask()).toEqual(before);
        await driver.unsafe(forget);
        // Here the statement is not the first of its transaction.
        expect(
          await db.transaction(async (tx) => [await tx.execute('select 1'), await next(tx, { n: 1 })]),
        ).toEqual([[{ '?column?': 1 }], [{ n: 2 }]]);
      }
      await close();
    });
  }
});

test('messages are sent at once, without waiting for an acknowledgement of the last one', async () => {
  const noDelay = vi.spyOn(Socket.prototype, 'setNoDelay');
  const own = connect(database.appUrl, { max: 1 });
  try {
    await own.sql`select 1`;
    expect(noDelay.mock.calls).toContainEqual([true]);
  } finally {
    noDelay.mockRestore();
    await own.close();
  }
});
