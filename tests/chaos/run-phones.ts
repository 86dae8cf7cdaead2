import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '#server/boot/start-server.ts';
import { readEnv } from '#server/kernel/env.ts';
import { CHECK_KINDS } from '#shared/features/checks/kinds.vocabulary.ts';
import { type OwnPostgres, withLogin } from '#tests/support/postgres/own-postgres.ts';
import { signInAs } from '#tests/support/rows/factories.ts';
import { createBuildings, createPeople } from '#tests/support/rows/population.ts';
import { runSendQueueChaos, type SendQueueChaosReport } from './run-send-queue.ts';

const BUILDINGS = 5;

/** Runs the shared phone of `runSendQueueChaos` against a server and a database of its own. */
export async function runPhones(options: {
  postgres: OwnPostgres;
  seed: string;
  submissions: number;
  log: (line: string) => void;
}): Promise<SendQueueChaosReport> {
  const database = await options.postgres.create(`phones_${Date.now().toString(36)}`);
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-phones-'));
  const env = readEnv({ DATABASE_URL: database.appUrl, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  const free = { burst: 1e9, perSecond: 1e9 };
  const server = await startServer(
    { ...env, optionalChecks: [...CHECK_KINDS] },
    database.appUrl,
    // Limits are off, because one machine does in a second what people do in a day. Refusals caused on purpose are not
    // logged.
    { limits: { person: free, anonymous: free }, logStream: { write: () => undefined } },
  );
  try {
    return await withLogin(database.ownerUrl, async (sql) => {
      const buildings = await createBuildings(sql, BUILDINGS, 'P');
      const ids = buildings.map(({ id }) => id);
      const people = await createPeople(sql, [
        { role: 'manager', buildings: ids },
        { role: 'manager', buildings: ids },
      ]);
      return runSendQueueChaos({
        ...options,
        sql,
        serverUrl: () => server.url,
        people: people.map(({ id }) => id),
        buildings: ids,
        signIn: (id) => signInAs(server, { id, role: 'manager' }),
        endSessions: async (id) => void (await sql`delete from sessions where user_id = ${id}`),
      });
    });
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
