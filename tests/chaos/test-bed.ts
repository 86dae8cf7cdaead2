import { createPasswords } from '#server/adapters/auth/passwords.ts';
import { type Child, startChild } from '#tests/support/child.ts';
import { at, type OwnDatabase, type OwnPostgres, withLogin } from '#tests/support/own-postgres.ts';
import { pause } from '#tests/support/pace.ts';
import { type Building, createBuildings, createIssueRows, createPeople } from '#tests/support/population.ts';
import type { Random } from '#tests/support/random.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts';
import { startWebProxy, type WebProxy } from '#tests/support/web-proxy.ts';
import type { Account } from './actions.ts';
import type { Bug } from './bugs.ts';
import type { ServerHandlers } from './server-process.ts';

type Server = { child: Child<ServerHandlers>; url: string };

/** Two servers and a Postgres, each behind a proxy, and the faults that can be caused in them. */
export type House = {
  proxy: WebProxy;
  /** For reading the true state; the address changes after a crash. */
  ownerUrl(): string;
  buildings: Building[];
  accounts: Account[];
  killServer(): Promise<void>;
  freezeServer(ms: number): Promise<void>;
  crashPostgres(): Promise<void>;
  cutPostgres(): void;
  /** Resolves when everything runs again. */
  heal(): Promise<void>;
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
  const { buildings, accounts } = await populate(database, random, options);

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
        servers[place] = { child, url: await child.ask('listen', { databaseUrl: address.href, bug }) };
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
    async killServer() {
      const place = random.below(2);
      const server = servers[place];
      // The other server is left alone while this one is starting.
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
    async errors() {
      const running = servers.flatMap((server) => server ?? []);
      return (await Promise.all(running.map(({ child }) => child.ask('errors', undefined)))).flat();
    },
    async close() {
      await Promise.allSettled(mending);
      await proxy.close();
      for (const server of servers) await server?.child.kill();
      await databaseProxy.close();
    },
  };
}

async function populate(
  database: OwnDatabase,
  random: Random,
  size: { buildings: number; people: number },
): Promise<{ buildings: Building[]; accounts: Account[] }> {
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
    return { buildings, accounts: people.map(({ id, email }) => ({ id, email, password: PASSWORD })) };
  });
}
