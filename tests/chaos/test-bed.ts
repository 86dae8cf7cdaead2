import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { createPasswords } from '#server/adapters/auth/passwords.ts';
import { DAY_MS } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/network/tcp-proxy.ts';
import { startWebProxy, type WebProxy } from '#tests/support/network/web-proxy.ts';
import { pause } from '#tests/support/pace.ts';
import { at, type OwnDatabase, type OwnPostgres, withLogin } from '#tests/support/postgres/own-postgres.ts';
import type { Random } from '#tests/support/random.ts';
import {
  type Building,
  createBuildings,
  createIssueRows,
  createPeople,
} from '#tests/support/rows/population.ts';
import { type Child, startChild } from '#tests/support/server/child.ts';
import type { Account } from './actions.ts';
import type { Bug } from './bugs.ts';
import type { ServerHandlers } from './server-process.ts';

type Server = { child: Child<ServerHandlers>; url: string };

/** Two servers and a Postgres, each behind a proxy, and the faults that can be caused in them. */
export type House = {
  proxy: WebProxy;
  /** Address for reading the true state; it changes after a crash. */
  ownerUrl(): string;
  buildings: Building[];
  accounts: Account[];
  disciplines: (string | null)[];
  /** The folder in which both servers store files. */
  dataDir: string;
  killServer(): Promise<void>;
  freezeServer(ms: number): Promise<void>;
  /** Sets the clocks of a server and its database to another day, for this time. */
  jumpClock(ms: number): Promise<void>;
  crashPostgres(): Promise<void>;
  cutPostgres(): void;
  /** Resolves when everything runs again. */
  heal(): Promise<void>;
  /** Deletes leftovers of uploads. */
  sweep(): Promise<void>;
  errors(): Promise<string[]>;
  close(): Promise<void>;
};

const PASSWORD = 'correct-horse-battery';

export async function openHouse(options: {
  postgres: OwnPostgres;
  random: Random;
  buildings: number;
  people: number;
  bug: Bug | undefined;
}): Promise<House> {
  const { postgres, random, bug } = options;
  const database = await postgres.create(`chaos_${Date.now().toString(36)}`);
  const { buildings, accounts, disciplines } = await populate(database, random, options);
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-chaos-'));

  let crashing = false;
  const databaseProxy: TcpProxy = await startTcpProxy(() => (crashing ? undefined : postgres.port()));
  const address = new URL(database.appUrl);
  address.port = String(databaseProxy.port);
  const servers: (Server | undefined)[] = [undefined, undefined];
  /** Repairs in progress, which `heal` waits for. */
  const mending = new Set<Promise<unknown>>();

  async function start(place: number): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const child = startChild<ServerHandlers>(new URL('./server-process.ts', import.meta.url));
      try {
        servers[place] = {
          child,
          url: await child.ask('listen', { databaseUrl: address.href, dataDir, bug }),
        };
        return;
      } catch (error) {
        // The database may be away at this moment, so the start is repeated, as a supervisor would do.
        await child.kill();
        if (attempt === 8) throw error;
        await pause(500);
      }
    }
  }

  function mend<T>(work: Promise<T>): Promise<T> {
    mending.add(work);
    void work.finally(() => mending.delete(work)).catch(() => undefined);
    return work;
  }

  await Promise.all([start(0), start(1)]);
  const proxy = await startWebProxy(() => {
    const running = servers.flatMap((server) => server ?? []);
    return running.length === 0 ? 'http://127.0.0.1:9' : random.pick(running).url;
  }, random.fork('network'));

  return {
    proxy,
    ownerUrl: () => at(database.ownerUrl, database.name, postgres.port()),
    buildings,
    accounts,
    disciplines,
    dataDir,
    async killServer() {
      const place = random.below(2);
      const server = servers[place];
      // A server is killed only if neither of the two is starting.
      if (server === undefined || servers.includes(undefined)) return;
      servers[place] = undefined;
      await server.child.kill('SIGKILL');
      await mend(start(place));
    },
    async freezeServer(ms) {
      const server = servers[random.below(2)];
      if (server === undefined) return;
      server.child.signal('SIGSTOP');
      await mend(pause(ms).then(() => server.child.signal('SIGCONT')));
    },
    async jumpClock(ms) {
      const server = servers[random.below(2)];
      if (server === undefined) return;
      // A server that is killed in the meantime starts again with the right time.
      const jump = (to: number) => server.child.ask('jumpClock', { ms: to }).catch(() => undefined);
      await jump(random.pick([-10, -1, 1, 10]) * DAY_MS);
      await mend(pause(ms).then(() => jump(0)));
    },
    async crashPostgres() {
      if (crashing) return;
      crashing = true;
      databaseProxy.cut();
      await mend(
        postgres.crash().finally(() => {
          crashing = false;
        }),
      );
    },
    cutPostgres: () => databaseProxy.cut(),
    async heal() {
      while (mending.size > 0) await Promise.all(mending);
    },
    sweep: async () =>
      void (await servers.find((server) => server !== undefined)?.child.ask('sweep', undefined)),
    async errors() {
      const running = servers.flatMap((server) => server ?? []);
      return (await Promise.all(running.map(({ child }) => child.ask('errors', undefined)))).flat();
    },
    async close() {
      await Promise.allSettled(mending);
      await proxy.close();
      for (const server of servers) await server?.child.kill();
      await databaseProxy.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function populate(
  database: OwnDatabase,
  random: Random,
  size: { buildings: number; people: number },
): Promise<Pick<House, 'buildings' | 'accounts' | 'disciplines'>> {
  const passwordHash = await createPasswords().hash(PASSWORD);
  return withLogin(database.ownerUrl, async (sql) => {
    const buildings = await createBuildings(sql, size.buildings, 'X');
    const people = await createPeople(
      sql,
      Array.from({ length: size.people }, (_, n) => ({
        role:
          n === 0
            ? ('admin' as const)
            : random.pick([
                'manager',
                'manager',
                'manager',
                'viewer',
                'admin',
                'admin',
                'operative',
              ] as const),
        buildings: buildings.filter(() => random.chance(0.6)).map(({ id }) => id),
      })),
    );
    for (const building of buildings) await createIssueRows(sql, building, 8);
    const now = new Date().toISOString();
    await sql`insert into credentials ${sql(
      people.map(({ id }) => ({ user_id: id, password_hash: passwordHash, changed_at: now })),
    )}`;
    const disciplines = ['Fire', 'Water'].map((name) => ({ id: uuidv7(), name, created_at: now }));
    await sql`insert into disciplines ${sql(disciplines)}`;
    const [first] = people;
    for (const building of buildings)
      for (const { id } of disciplines)
        await plantFolders(sql, { building: building.id, discipline: id, by: first?.id ?? '', now });
    return {
      buildings,
      accounts: people.map(({ id, email }) => ({ id, email, password: PASSWORD })),
      disciplines: [...disciplines.map(({ id }) => id), null],
    };
  });
}

/** Folders three deep, so that there is something to move from the beginning. */
async function plantFolders(
  sql: Sql,
  { building, discipline, by, now }: { building: string; discipline: string; by: string; now: string },
): Promise<void> {
  let above: string[] = [];
  for (const name of ['Plans', 'Floors', 'Doors']) {
    const id = uuidv7();
    await sql`insert into building_documents ${sql({
      ...{ id, building_id: building, is_folder: true, file_name: name, folder_color: 'blue' },
      ...{ discipline_id: discipline, parent_folder_id: above.at(-1) ?? null, folder_path: above },
      ...{ uploaded_by: by, uploaded_by_name: 'Pat', uploaded_at: now, modified_at: now },
    })}`;
    above = [...above, id];
  }
}
