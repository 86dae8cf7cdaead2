import type { TransactionSql } from 'postgres';
import { connect } from '#db/client.ts';
import { OLDEST_POSTGRES } from '#db/oldest-postgres.ts';
import { StartRefused } from '../kernel/start-refused.ts';

const QUESTION = `
  select pg_backend_pid() as pid, current_setting('lock_timeout') as lock_timeout,
    current_setting('server_version') as version, current_setting('server_version_num')::integer as number`;
/** protocol_violation: the error of a pooler for session settings that it does not know. */
const REFUSED_BY_POOLER = '08P01';

type Answer = { pid: number; lock_timeout: string; version: string; number: number };

/** @throws StartRefused if this Postgres is too old */
export function assertRecent({ version, number }: Pick<Answer, 'version' | 'number'>): void {
  if (number >= OLDEST_POSTGRES.number) return;
  throw new StartRefused(
    1,
    `DATABASE_URL leads to Postgres ${version}. Lintel needs Postgres ${OLDEST_POSTGRES.name} or later.`,
  );
}

/**
 * Refuses an address that leads to an old Postgres, or to a pooler that gives each transaction another connection:
 * notifications would be lost, waits would be unbounded, and a transaction could run with the settings of another caller.
 * @throws StartRefused if Postgres is too old, two connections share a backend, one connection has several, or its
 *   settings are lost; or the driver's error if the database cannot be reached
 */
export async function assertOwnConnections(databaseUrl: string): Promise<void> {
  const [one, other] = [connect(databaseUrl, { max: 1 }), connect(databaseUrl, { max: 1 })];
  try {
    const earlier = await ask(other.sql);
    assertRecent(earlier);
    // Asked twice, to detect a pooler that uses its connections in turn; other poolers reuse the last one released.
    const own = [await ask(one.sql), await ask(one.sql)];
    const beside = await other.sql.begin(async (tx) => {
      const answer = await ask(tx);
      own.push(await ask(one.sql));
      return answer;
    });
    const isOwn = own.every(({ pid }) => pid === own[0]?.pid && pid !== beside.pid);
    const isSet = own.every(({ lock_timeout: timeout }) => timeout !== '0');
    if (!isOwn || !isSet || earlier.pid !== beside.pid) throw refusal();
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === REFUSED_BY_POOLER) throw refusal(error);
    throw error;
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
}

async function ask(sql: Pick<TransactionSql, 'unsafe'>): Promise<Answer> {
  const [answer] = await sql.unsafe<Answer[]>(QUESTION);
  if (answer === undefined) throw new Error('a select of one row answered nothing');
  return answer;
}

function refusal(cause?: Error): StartRefused {
  return new StartRefused(
    1,
    'DATABASE_URL leads to a connection pooler in transaction mode. Lintel keeps connections of its own, for ' +
      'notifications and for settings that last: give it the address of Postgres itself, or a pooler in session mode.',
    { cause },
  );
}
