import postgres, { type Sql } from 'postgres';
import { uuidv7 } from '#shared/ids.ts';
import { pause } from '#tests/support/pace.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createBuildings, createIssueRows, createPeople } from '#tests/support/rows/population.ts';
import { type Figure, median, percentile, round } from '../figure.ts';
import { type LintelServer, type Setting, startSubscribers } from '../setting.ts';

const PER_SECOND = 40;
const SECONDS = 4;
const HELD_MS = 2_000;

/**
 * How long other people wait while a transaction is held, a command is stuck before its commit, or a server is frozen.
 */
export async function blocked(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('blocked');
  const { rows, stuckRow, writer, freezing, reader } = await withLogin(database.ownerUrl, async (sql) => {
    const [building, other] = await createBuildings(sql, 2, 'F');
    if (building === undefined || other === undefined) throw new Error('no buildings');
    const [one, two, three] = await createPeople(sql, [
      { role: 'manager', buildings: [building.id] },
      { role: 'manager', buildings: [other.id] },
      { role: 'viewer', buildings: [building.id] },
    ]);
    const frozenRows = await createIssueRows(sql, other, 50);
    return {
      rows: await createIssueRows(sql, building, 200),
      stuckRow: frozenRows[0] ?? '',
      writer: one?.cookie ?? '',
      freezing: { cookie: two?.cookie ?? '', rows: frozenRows.slice(1) },
      reader: three?.cookie ?? '',
    };
  });
  const server = await setting.lintel(database.appUrl);
  const other = await setting.lintel(database.appUrl);
  const subscribers = startSubscribers(setting, 1);
  await subscribers.connect('reader', {
    url: server.socketUrl,
    origin: server.url,
    cookies: [reader],
    watch: true,
  });
  const sql = postgres(database.ownerUrl, { max: 3, onnotice: () => undefined });
  setting.after(() => sql.end({ timeout: 5 }));

  /** Makes changes at a rate; returns the longest time in ms from the request to another person's client. */
  async function worst(meanwhile: () => Promise<void>): Promise<number> {
    await subscribers.arrivals();
    const before = await subscribers.events('reader');
    const disturbance = pause(800).then(meanwhile);
    const asked = await server.ask('writeTimed', {
      cookie: writer,
      rows,
      perSecond: PER_SECOND,
      seconds: SECONDS,
    });
    await disturbance;
    await subscribers.received('reader', before.events + asked.length, 30_000);
    const arrived = await subscribers.arrivals();
    return Math.max(...asked.map(([id, at]) => (arrived.get(id) ?? Number.NaN) - at));
  }
  const disturbances = {
    nothing: async () => undefined,
    'a foreign transaction that holds an id for 2 s': () =>
      held(sql, (tx) => tx`select pg_current_xact_id()`),
    'a command stuck before its commit for 2 s': () => held(sql, (tx) => stuckCommand(tx, stuckRow)),
    'a server frozen in the middle of its work': () => frozen(other, freezing),
  };
  await worst(disturbances.nothing);
  const found: Record<string, number[]> = {};
  for (let round_ = 0; round_ < setting.rounds; round_ += 1) {
    for (const [name, disturb] of Object.entries(disturbances)) {
      found[name] = [...(found[name] ?? []), await worst(disturb)];
    }
  }
  const calm = found['nothing'] ?? [];
  return Object.entries(found)
    .filter(([name]) => name !== 'nothing')
    .map(([name, values]) => ({
      name: `wait of others behind ${name}`,
      measured: `${round(median(values))} ms, the slowest of ${PER_SECOND * SECONDS} changes from request to screen`,
      reference: `${round(median(calm))} ms undisturbed (worst ${round(percentile(calm, 1))})`,
      value: Math.max(0, median(values) - median(calm)),
      unit: 'ms',
      goal: { atMost: 100 },
    }));
}

async function held(sql: Sql, first: (tx: Sql) => Promise<unknown>): Promise<void> {
  await sql.begin(async (tx) => {
    // The cast: a transaction has the same calls as the driver.
    await first(tx as unknown as Sql);
    await pause(HELD_MS);
  });
}

/** Does everything a command does except the commit: row locked and changed, event in the outbox. */
async function stuckCommand(tx: Sql, row: string): Promise<void> {
  await tx`update building_issues set title = 'stuck', version = version + 1 where id = ${row}`;
  await tx`
    insert into outbox (stream, at, command, entity, entity_id, op, version, operation_id, payload)
    values ('org', now(), 'issues.update', 'issue', ${row}, 'put', 2, ${uuidv7()}, '{}')`;
}

async function frozen(
  server: LintelServer,
  { cookie, rows }: { cookie: string; rows: string[] },
): Promise<void> {
  const busy = server.ask('write', { cookie, rows, perSecond: 40, seconds: 1 });
  await pause(500);
  server.signal('SIGSTOP');
  await pause(HELD_MS);
  server.signal('SIGCONT');
  await busy;
}
