import type { Sql } from 'postgres';
import type { Role } from '#shared/permissions.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import {
  type Building,
  createBuildings,
  createIssueRows,
  createPeople,
  type Person,
} from '#tests/support/rows/population.ts';
import type { Setting } from '../setting.ts';

/** Number of events in the log; the newest 10,000 are in the server's ring. */
export const EVENTS = 45_000;
const BUILDINGS = 1_000;
/** One event in this many belongs to a building that people have; few enough that no client is reset. */
const VISIBLE_ONE_IN = 15;

export type FarBehind = {
  /** The position from which all people reconnect: before the first event. */
  from: { epoch: string; g: number };
  held: readonly Building[];
  /** Issues of a separate building, for changes in the meantime. */
  rows: string[];
  /** In the order of the request. */
  people: Person[];
  admin: Person;
  manager: Person;
  appUrl: string;
};

/** Fills a long event log, and makes people who have access to a thousand buildings and have missed all events. */
export async function farBehind(
  setting: Setting,
  name: string,
  people: (held: readonly Building[]) => { role: Role; buildings: readonly string[] }[],
): Promise<FarBehind> {
  const database = await setting.database(name);
  return withLogin(database.ownerUrl, async (sql) => {
    const held = await createBuildings(sql, BUILDINGS, 'H');
    const [own] = await createBuildings(sql, 1, 'W');
    if (own === undefined) throw new Error('no building');
    await createRecord(sql, held);
    const [admin, manager, ...others] = await createPeople(sql, [
      { role: 'admin', buildings: [] },
      { role: 'manager', buildings: [own.id] },
      ...people(held),
    ]);
    const [head] = await sql<{ epoch: string }[]>`select epoch::text from stream_head`;
    if (admin === undefined || manager === undefined || head === undefined)
      throw new Error('a person was not created');
    const rows = await createIssueRows(sql, own, 200);
    await sql`vacuum (analyze) events, event_payloads, user_location_access`;
    const from = { epoch: head.epoch, g: 0 };
    return {
      from,
      held,
      rows,
      people: others,
      admin,
      manager,
      appUrl: database.appUrl,
    };
  });
}

/** Inserted by plain SQL, so the hash chain cannot be verified. */
async function createRecord(sql: Sql, held: readonly Building[]): Promise<void> {
  const ids = held.map(({ id }) => id);
  await sql`
    insert into events (g, stream, seq, outbox_id, tx, at, command, entity, entity_id, op, version, permission, buildings,
      persons, canon, hash)
    select n, 'bench', n, n, pg_current_xact_id(), now(), 'issues.update', 'issue', gen_random_uuid(), 'put', 1, 'view_building_issues',
      case when n % ${VISIBLE_ONE_IN} = 0 then array[(${ids}::uuid[])[1 + n % ${ids.length}]]
        else array[gen_random_uuid()] end,
      '{}', repeat('c', 500), sha256(n::text::bytea)
    from generate_series(1, ${EVENTS}::int) n`;
  await sql`
    insert into event_payloads (g, salt, body)
    select g, '', json_build_object('row', json_build_object('text', repeat('x', 350)), 'changes', null)::text from events`;
  await sql`update stream_head set g = ${EVENTS}`;
}
