import type { ISql } from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, type DatabaseClient } from '#db/client.ts';
import { verifyChain } from '#server/live/chain.ts';
import { createSequencer } from '#server/live/sequencer.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createRandom, seedOf } from '#tests/support/random.ts';

const WRITERS = 10;
const quiet = { warn: () => undefined };

let database: TestDatabase;
let app: DatabaseClient;
let owner: DatabaseClient;

beforeEach(async () => {
  database = await createTestDatabase();
  app = connect(database.appUrl, { max: 20 });
  owner = connect(database.ownerUrl, { max: 3 });
});
afterEach(async () => {
  await Promise.all([app.close(), owner.close()]);
  await database.drop();
});

/** Writes the changes of one command. @returns the entity ids of their events */
async function tell(sql: ISql, count = 1): Promise<string[]> {
  const names = Array.from({ length: count }, () => uuidv7());
  await sql`
    insert into outbox (stream, at, command, entity, entity_id, op, version, payload)
    select 'org', now(), 'a.b', 'client', name, 'put', 1, '{"row":{},"changes":null}'
    from unnest(${names}::uuid[]) with ordinality as told (name, n) order by n`;
  return names;
}

const sequence = () => app.sql<{ n: number }[]>`select n from sequence_events()`;
const ordered = async () =>
  (await owner.sql<{ entity_id: string }[]>`select entity_id from events order by g`).map(
    ({ entity_id }) => entity_id,
  );
/** Whether only ids after the newest event may still bring a row. */
async function isSettled(): Promise<boolean> {
  const [row] = await owner.sql<{ settled: boolean }[]>`
    select open = int8multirange(int8range((select max(outbox_id) + 1 from events), null)) as settled
    from stream_head`;
  return row?.settled === true;
}

/** Writes one more change, and returns whether the open ids are then settled. */
async function closes(): Promise<boolean> {
  await tell(app.sql);
  await sequence();
  return isSettled();
}

/** A promise, and the function that resolves it. */
function later(): { come: Promise<void>; now: () => void } {
  let now = () => {};
  const come = new Promise<void>((resolve) => {
    now = resolve;
  });
  return { come, now };
}

test('live/S2 writers, rollbacks, long transactions and killed connections, by chance: nothing is lost or doubled', async () => {
  const seed = seedOf('open outbox');
  const random = createRandom(seed);
  const sequencers = [1, 2].map(() => createSequencer({ sql: app.sql, log: quiet }));
  const told: string[] = [];
  let refused = 0;
  let running = WRITERS;
  let done = 0;
  /** Transactions that stay open until a number of steps are done. */
  const held: { until: number; now: () => void }[] = [];
  const step = async () => {
    done += 1;
    for (const each of held.splice(0)) {
      if (each.until <= done) each.now();
      else held.push(each);
    }
    random.pick(sequencers).schedule();
    if (random.chance(0.2)) await sequence();
  };
  const actions = {
    async one(): Promise<void> {
      told.push(...(await tell(app.sql)));
    },
    many: async () => void told.push(...(await tell(app.sql, 1 + random.below(150)))),
    async refused() {
      const work = app.sql.begin(async (tx) => {
        await tell(tx, 1 + random.below(20));
        throw new Error('refused');
      });
      await expect(work).rejects.toThrow('refused');
      refused += 1;
    },
    async halfRefused() {
      const names = await app.sql.begin(async (tx) => {
        const first = await tell(tx);
        const part = tx.savepoint(async (inner) => {
          await tell(inner, 3);
          throw new Error('refused');
        });
        await expect(part).rejects.toThrow('refused');
        return [...first, ...(await tell(tx))];
      });
      told.push(...names);
      refused += 1;
    },
    async long(): Promise<void> {
      // Other transactions must be able to continue, or this one would never end.
      if (held.length + 1 >= running) return actions.one();
      const { come, now } = later();
      held.push({ until: done + 5 + random.below(60), now });
      const fails = random.chance(0.3);
      const work = app.sql.begin(async (tx) => {
        const names = await tell(tx, 1 + random.below(5));
        await tx`select set_config('idle_in_transaction_session_timeout', '0', true)`;
        await come;
        if (fails) throw new Error('refused');
        return [...names, ...(await tell(tx))];
      });
      if (fails) await expect(work).rejects.toThrow('refused');
      else told.push(...(await work));
    },
    async killed() {
      const work = app.sql.begin(async (tx) => {
        await tell(tx, 2);
        const [me] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
        await owner.sql`select pg_terminate_backend(${me?.pid ?? 0})`;
        await tell(tx);
      });
      await expect(work).rejects.toThrow();
      refused += 1;
    },
  };
  const weights = { one: 30, many: 4, refused: 6, halfRefused: 3, long: 6, killed: 1 };

  const foreign = later();
  const dump = owner.sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx`select count(*), set_config('idle_in_transaction_session_timeout', '0', true) from profiles`;
    await foreign.come;
  });
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (let n = 0; n < 30; n += 1) {
        await actions[random.weighted(weights)]();
        await step();
      }
      running -= 1;
      for (const each of held.splice(0)) each.now();
    }),
  );
  foreign.now();
  await dump;
  for (const sequencer of sequencers) await sequencer.settled();
  await Promise.all(sequencers.map((sequencer) => sequencer.stop()));

  expect(refused, `seed ${seed}`).toBeGreaterThan(0);
  expect((await ordered()).sort(), `seed ${seed}`).toEqual([...told].sort());
  expect(await owner.sql`select 1 from outbox`, `seed ${seed}`).toHaveLength(0);
  expect((await verifyChain(owner.sql)).problems, `seed ${seed}`).toEqual([]);
  // The search for rolled-back ids ends. Transactions of other tests may delay its end for a moment.
  await expect.poll(closes, { message: `seed ${seed}` }).toBe(true);
});

test('live/S2 an id that was taken before its row is written is not given up', async () => {
  // The insert hangs within its one statement: it has its id, but no row yet.
  const quick = await tell(app.sql);
  const lock = await owner.sql.reserve();
  await lock`select pg_advisory_lock(1)`;
  const slow = await owner.sql.reserve();
  await slow`set lock_timeout = 0`;
  const late = uuidv7();
  const writing = slow`
    insert into outbox (stream, at, command, entity, entity_id, op, version, payload)
    values ('org', now(), 'a.b', 'client', ${late}, 'put', 1, pg_advisory_lock(1)::text || '{}')`.execute();
  const waits = () =>
    app.sql`select 1 from pg_locks where locktype = 'advisory' and not granted and objid = 1`;
  await expect.poll(async () => (await waits()).length).toBeGreaterThan(0);
  for (let n = 0; n < 6; n += 1) {
    quick.push(...(await tell(app.sql)));
    await sequence();
  }
  expect(await ordered()).toEqual(quick);
  await lock`select pg_advisory_unlock(1)`;
  await writing;
  await sequence();
  expect(await ordered()).toEqual([...quick, late]);
  lock.release();
  slow.release();
});

test('live/S2 what comes late and all at once is moved a hundred at a time, and none of the rest is given up', async () => {
  const { come, now } = later();
  const late = app.sql.begin(async (tx) => {
    const names = await tell(tx, 250);
    await come;
    return names;
  });
  await expect
    .poll(async () => (await owner.sql`select last_value from outbox_id_seq`)[0]?.['last_value'])
    .toBe('250');
  const told: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    told.push(...(await tell(app.sql)));
    await sequence();
  }
  now();
  told.push(...(await late));
  while ((await sequence())[0]?.n !== 0);
  expect(await ordered()).toEqual(told);
});

test('live/S2 what a foreign transaction holds up is a handful of ids, not the order', async () => {
  const foreign = later();
  const writing = owner.sql.begin(async (tx) => {
    await tx`select pg_current_xact_id(), set_config('idle_in_transaction_session_timeout', '0', true)`;
    await foreign.come;
  });
  // Every other id is rolled back.
  const columns = 'stream, at, command, entity, entity_id, op, version, payload';
  const row = `'org', now(), 'a.b', 'client', gen_random_uuid(), 'put', 1, '{}'`;
  await app.sql.unsafe(`
    do $$ begin
      for n in 1..620 loop
        begin
          insert into outbox (${columns}) values (${row});
          raise exception 'refused';
        exception when raise_exception then
          insert into outbox (${columns}) values (${row});
        end;
      end loop;
    end $$`);
  while ((await sequence())[0]?.n !== 0);
  const [holes] = await owner.sql<{ n: number }[]>`
    select count(*)::int as n from stream_head, unnest(open) hole`;
  expect(holes?.n).toBeGreaterThan(1);
  expect(holes?.n).toBeLessThanOrEqual(500);
  foreign.now();
  await writing;
  await expect.poll(closes).toBe(true);
  expect((await ordered()).length).toBeGreaterThan(620);
  expect(await owner.sql`select 1 from outbox`).toHaveLength(0);
});

test('live/S2 live/J1 what putting in order and reading cost does not grow with the dead rows that a snapshot keeps', async () => {
  const pages = async (statement: string) => {
    const [plan] = await owner.sql.unsafe(`explain (analyze, buffers, format json) ${statement}`);
    const [{ Plan: used }] = (plan?.['QUERY PLAN'] ?? [{ Plan: {} }]) as [{ Plan: Record<string, number> }];
    return (used['Shared Hit Blocks'] ?? 0) + (used['Shared Read Blocks'] ?? 0);
  };
  // The least of five: the first call after an autovacuum plans again, and reads the catalogue for it.
  const measure = async () => {
    const least = { read: Number.POSITIVE_INFINITY, sequenced: Number.POSITIVE_INFINITY };
    for (let n = 0; n < 5; n += 1) {
      least.read = Math.min(least.read, await pages('select * from stream_position(), outbox_waiting(100)'));
      await tell(app.sql);
      least.sequenced = Math.min(least.sequenced, await pages('select * from sequence_events()'));
    }
    return least;
  };
  const foreign = later();
  const dump = owner.sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx`select count(*), set_config('idle_in_transaction_session_timeout', '0', true) from profiles`;
    await foreign.come;
  });
  const before = await measure();
  await tell(app.sql, 10_000);
  while ((await sequence())[0]?.n !== 0);
  for (let n = 0; n < 300; n += 1) {
    await tell(app.sql);
    await sequence();
  }
  const after = await measure();
  expect(after.read).toBeLessThan(before.read + 20);
  expect(after.sequenced).toBeLessThan(before.sequenced + 50);
  foreign.now();
  await dump;
});

test('live/S2 a new epoch looks through the whole outbox again', async () => {
  await tell(app.sql, 5);
  await sequence();
  await expect.poll(closes).toBe(true);
  // As after a restore: a row with an id that was used before.
  await owner.sql`
    insert into outbox (id, stream, at, command, entity, entity_id, op, version, payload) overriding system value
    values (2, 'org', now(), 'a.b', 'client', ${uuidv7()}, 'put', 1, '{}')`;
  await app.sql`select start_epoch(epoch) from stream_position()`;
  await sequence();
  expect(await owner.sql`select 1 from outbox`).toHaveLength(0);
  expect((await verifyChain(owner.sql)).problems).toEqual([]);
});

test('live/S4 verifying holds no snapshot of the whole record', async () => {
  await tell(app.sql, 2_500);
  while ((await sequence())[0]?.n !== 0);
  const watched: string[] = [];
  const sql = connect(database.ownerUrl, { max: 1 });
  const counted = new Proxy(sql.sql, {
    apply(target, self, args: [TemplateStringsArray]) {
      watched.push(args[0].join('?'));
      return Reflect.apply(target, self, args);
    },
    get(target, name) {
      if (name === 'begin') throw new Error('a transaction around all of it');
      return Reflect.get(target, name);
    },
  });
  expect(await verifyChain(counted)).toMatchObject({ events: 2_500, streams: 1, problems: [] });
  expect(watched.length).toBeGreaterThanOrEqual(4);
  await sql.close();
});
