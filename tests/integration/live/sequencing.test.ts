import { eq, sql as raw } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connect, type DatabaseClient, type Queryable } from '#db/client.ts';
import { clients } from '#db/schema/places.ts';
import { recorder } from '#server/kernel/recorder.ts';
import { verifyChain } from '#server/live/chain.ts';
import { createSequencer, type Sequencer } from '#server/live/sequencer.ts';
import { snapshot, snapshotStatement } from '#server/live/snapshot.ts';
import { uuidv7 } from '#shared/ids.ts';
import { parseVisible } from '#shared/live/live.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';

const quiet = { warn: () => undefined };
const WRITERS = 16;
const WRITES = 20;

let database: TestDatabase;
let app: DatabaseClient;
let owner: DatabaseClient;
let sequencer: Sequencer;

beforeEach(async () => {
  database = await createTestDatabase();
  app = connect(database.appUrl, { max: 20 });
  owner = connect(database.ownerUrl, { max: 2 });
  sequencer = createSequencer({ sql: app.sql, log: quiet });
});
afterEach(async () => {
  vi.useRealTimers();
  await sequencer.stop();
  await Promise.all([app.close(), owner.close()]);
  await database.drop();
});

async function createRow(): Promise<string> {
  const id = uuidv7();
  await app.db.insert(clients).values({ id, name: `Client ${id}`, createdAt: new Date().toISOString() });
  return id;
}

/** Writes like a feature's command: updates the row, which locks it, and writes the event, in one transaction. */
async function write(
  id: string,
  then: (tx: Queryable) => Promise<unknown> = () => Promise.resolve(),
): Promise<number> {
  const at = new Date().toISOString();
  const version = await app.db.transaction(async (tx) => {
    const [row] = await tx
      .update(clients)
      .set({ version: raw`${clients.version} + 1` })
      .where(eq(clients.id, id))
      .returning();
    if (row === undefined) throw new Error('no such row');
    const origin = { command: 'clients.touch', actor: null, operationId: uuidv7(), at };
    await recorder(tx, origin).record({
      op: 'put',
      entity: 'client',
      row: { id: row.id, name: row.name, archivedAt: null, version: row.version },
      changes: { name: ['a', 'b'] },
    });
    await then(tx);
    return row.version;
  });
  sequencer.schedule();
  return version;
}

type Stored = { g: string; stream: string; seq: string; entity_id: string; version: number };
const stored = () => owner.sql<Stored[]>`select g, stream, seq, entity_id, version from events order by g`;

describe('the order of changes', () => {
  test('live/S2 many writers with rollbacks leave no gap, lose nothing, and keep the order of each row', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, createRow));
    const second = createSequencer({ sql: app.sql, log: quiet });
    const acknowledged: string[] = [];
    let refused = 0;
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; n < WRITES; n += 1) {
          const id = ids[(writer + n) % ids.length] ?? '';
          const fails = (writer * 7 + n) % 11 === 0;
          try {
            const version = await write(id, async (tx) => {
              if (n % 5 === 0) await tx.execute(raw`select pg_sleep(0.003)`);
              if (fails) throw new Error('refused');
            });
            acknowledged.push(`${id} ${version}`);
            if (n % 3 === 0) second.schedule();
          } catch {
            refused += 1;
          }
        }
      }),
    );
    await sequencer.settled();
    await second.stop();

    const events = await stored();
    expect(refused).toBeGreaterThan(10);
    expect(events.map(({ g }) => Number(g))).toEqual(events.map((_, index) => index + 1));
    expect(events.map(({ entity_id, version }) => `${entity_id} ${version}`).sort()).toEqual(
      acknowledged.sort(),
    );
    for (const id of ids) {
      const versions = events.filter(({ entity_id }) => entity_id === id).map(({ version }) => version);
      expect(versions).toEqual([...versions].sort((a, b) => a - b));
    }
    expect(await app.sql`select 1 from outbox`).toHaveLength(0);
    expect(await verifyChain(owner.sql)).toMatchObject({ events: acknowledged.length, problems: [] });
  });

  test('live/S2 a command that stalls before its commit delays no other, and is not lost', async () => {
    const [slow, quick] = [await createRow(), await createRow()];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stalled = write(slow, async (tx) => {
      // This transaction stays open until the others have ended.
      await tx.execute(raw`set local idle_in_transaction_session_timeout = 0`);
      await released;
    });
    for (let n = 0; n < 20; n += 1) await write(quick);
    await sequencer.settled();
    expect(await stored()).toHaveLength(20);
    release();
    await stalled;
    await sequencer.settled();
    expect((await stored()).at(-1)).toMatchObject({ g: '21', entity_id: slow });
  });

  test('live/S2 events that a dead process left behind are sequenced by another', async () => {
    const id = await createRow();
    await sequencer.stop();
    await write(id);
    expect(await stored()).toHaveLength(0);
    const other = createSequencer({ sql: app.sql, log: quiet, sweepMs: 50 });
    await expect.poll(async () => (await stored()).length).toBe(1);
    await other.stop();
  });

  test('live/S2 after a call that moved many changes the next one waits, so that more can share it', async () => {
    const id = await createRow();
    await sequencer.stop();
    for (let n = 0; n < 10; n += 1) await write(id);
    let calls = 0;
    const counted = new Proxy(app.sql, {
      apply(target, self, given) {
        calls += 1;
        return Reflect.apply(target, self, given);
      },
    });
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    // The sweep of this sequencer never runs.
    const other = createSequencer({ sql: counted, log: quiet, sweepMs: 1e6 });
    await other.settled();
    const next = other.settled();
    // One after the other, because a connection that is opened now would wait for the clock.
    for (let n = 0; n < 3; n += 1) await write(id);
    await vi.advanceTimersByTimeAsync(9);
    expect(calls).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await next;
    expect(calls).toBe(2);
    vi.useRealTimers();
    expect(await stored()).toHaveLength(13);
    await other.stop();
  });

  test('live/S2 one call moves at most a hundred, returns three numbers, and notifies once', async () => {
    const id = await createRow();
    await sequencer.stop();
    for (let n = 0; n < 120; n += 1) await write(id);
    let heard = 0;
    const listening = await owner.sql.listen('lintel', () => {
      heard += 1;
    });
    expect(await app.sql`select * from sequence_events()`).toEqual([{ first_g: '1', last_g: '100', n: 100 }]);
    expect(await app.sql`select * from sequence_events()`).toEqual([
      { first_g: '101', last_g: '120', n: 20 },
    ]);
    expect(await app.sql`select * from sequence_events()`).toEqual([{ first_g: '121', last_g: '120', n: 0 }]);
    await expect.poll(() => heard).toBe(2);
    await listening.unlisten();
  });
});

describe('the event log', () => {
  test('live/S4 the login of the server can neither write, change nor remove it', async () => {
    await write(await createRow());
    await sequencer.settled();
    for (const statement of [
      'update events set command = $$x$$',
      'delete from events',
      'truncate events cascade',
      'insert into events select * from events',
      'update event_payloads set body = $$x$$',
      'delete from event_payloads',
      'update stream_head set g = 0',
      'delete from outbox',
      'update outbox set command = $$x$$',
      'select erase_event_payload(1, null)',
    ]) {
      await expect(app.sql.unsafe(statement), statement).rejects.toThrow('permission denied');
    }
  });

  test('live/S4 not even its owner changes it by accident', async () => {
    await write(await createRow());
    await sequencer.settled();
    for (const statement of [
      'update events set command = $$x$$',
      'delete from events',
      'truncate events cascade',
      'update event_payloads set body = $$x$$',
      'delete from event_payloads',
      'truncate event_payloads',
    ]) {
      await expect(owner.sql.unsafe(statement), statement).rejects.toThrow('events are never changed');
    }
  });

  test('live/S4 an erased payload leaves the chain whole, and the erasure is on record', async () => {
    await write(await createRow());
    await sequencer.settled();
    await owner.sql`select erase_event_payload(1, null)`;
    sequencer.schedule();
    await sequencer.settled();
    expect(await owner.sql`select g, op, command from events order by g`).toMatchObject([
      { g: '1', op: 'put' },
      { g: '2', op: 'erase', command: 'payload.erase' },
    ]);
    expect(await verifyChain(owner.sql)).toMatchObject({ events: 2, erased: 1, problems: [] });
  });

  test('live/S4 verifying finds each kind of forgery', async () => {
    const id = await createRow();
    for (let n = 0; n < 4; n += 1) await write(id);
    await sequencer.settled();
    const forgeries: [statement: string, problem: RegExp][] = [
      ['update events set command = $$x$$ where g = 2', /command was changed/],
      [`update events set at = at + interval '1 second' where g = 2`, /at was changed/],
      [`update events set canon = replace(canon, 'touch', 'taste') where g = 2`, /hash does not fit/],
      ['update event_payloads set body = $${}$$ where g = 2', /payload was changed/],
      [`update event_payloads set salt = '\\x00' where g = 2`, /payload was changed/],
      ['delete from event_payloads where g = 2; delete from events where g = 2', /missing/],
      ['delete from event_payloads where g = 4; delete from events where g = 4', /head says/],
      ['update events set seq = seq + 10 where g = 4', /follows/],
      [`update events set hash = '\\x00' where g = 2`, /hash does not fit/],
      ['update stream_head set g = 3', /head says/],
    ];
    for (const [statement, problem] of forgeries) {
      await expect(
        owner.sql.begin(async (tx) => {
          await tx.unsafe(
            'alter table events disable trigger user; alter table event_payloads disable trigger user',
          );
          await tx.unsafe(statement);
          // In the same transaction, which is rolled back afterwards.
          const report = await verifyChain(tx);
          throw new Error(report.problems.map((found) => found.problem).join('; '));
        }),
        statement,
      ).rejects.toThrow(problem);
    }
    expect((await verifyChain(owner.sql)).problems).toEqual([]);
  });
});

describe('a snapshot', () => {
  const ctx = () => ({ services: { db: app.db } });
  const versions = (db: Queryable) => db.select({ id: clients.id, version: clients.version }).from(clients);
  const inOneStatement = snapshotStatement((db) => versions(db));
  const WAYS = {
    transaction: () => snapshot(ctx(), (tx) => versions(tx)),
    statement: () => inOneStatement(ctx(), {}),
  };

  test.each(Object.entries(WAYS))(
    'live/J1 of a %s holds exactly the events up to its position and those that it names, under concurrent writers',
    async (_name, read) => {
      const ids = await Promise.all(Array.from({ length: 5 }, createRow));
      let writing = true;
      const writers = Promise.all(
        ids.map(async (id) => {
          while (writing) await write(id);
        }),
      );
      const taken: Awaited<ReturnType<typeof read>>[] = [];
      for (let n = 0; n < 25; n += 1) taken.push(await read());
      writing = false;
      await writers;
      await sequencer.settled();

      const events = await owner.sql<
        { g: string; tx: string; entity_id: string; version: number }[]
      >`select g, tx, entity_id, version from events`;
      let named = 0;
      for (const { asOf, visible, data } of taken) {
        const g = Number(asOf.split('.')[1]);
        const isVisible = parseVisible(visible) ?? (() => false);
        const beyond = events.filter((event) => Number(event.g) > g && isVisible(Number(event.tx)));
        named += beyond.length;
        const versionOf = new Map(data.map((row) => [row.id, row.version]));
        for (const id of ids) {
          const held = events.filter(
            (event) => event.entity_id === id && (Number(event.g) <= g || isVisible(Number(event.tx))),
          );
          // Every event raises the version by one, starting at one.
          expect(held.length + 1).toBe(versionOf.get(id));
          expect(Math.max(1, ...held.map(({ version }) => version))).toBe(versionOf.get(id));
        }
      }
      expect(named).toBeGreaterThan(0);
    },
  );

  test('live/J1 does not wait for a long outbox, and names all of it in a line', async () => {
    const id = await createRow();
    await sequencer.stop();
    await app.sql`insert into outbox (stream, at, command, entity, entity_id, op, version, payload)
      select 'org', now(), 'a.b', 'client', ${id}, 'put', n, '{"row":{},"changes":null}' from generate_series(1, 3000) n`;
    const { asOf, visible } = await WAYS.transaction();
    expect(asOf).toMatch(/\.0$/);
    expect(visible?.length).toBeLessThan(500);
    const [waiting] = await app.sql<{ tx: string }[]>`select distinct tx from outbox`;
    expect(parseVisible(visible)?.(Number(waiting?.tx))).toBe(true);
  });
});
