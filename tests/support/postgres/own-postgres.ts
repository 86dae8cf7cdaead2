import postgres, { type Sql } from 'postgres';
import { migrate } from '#db/migrate.ts';
import { startThrowawayPostgres } from './throwaway-postgres.ts';

/** A database with the whole schema and no rows. */
export type OwnDatabase = { name: string; ownerUrl: string; appUrl: string };

/** A Postgres of this process alone, which tests may crash. */
export type OwnPostgres = {
  /** Its present port, which changes after a crash. */
  port(): number;
  create(name: string): Promise<OwnDatabase>;
  /** Ends it as a power cut would, without a shutdown, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
};

const TEMPLATE = 'lintel_template';

/** @param options.sync whether a commit waits for the disk, as in production */
export async function startOwnPostgres(options: { sync: boolean }): Promise<OwnPostgres> {
  const server = await startThrowawayPostgres(options);
  await withLogin(at(server.now().ownerUrl, 'lintel'), (sql) => sql`create database ${sql(TEMPLATE)}`);
  await migrate(at(server.now().ownerUrl, TEMPLATE), new URL(server.now().appUrl).username);

  return {
    port: () => Number(new URL(server.now().ownerUrl).port),
    async create(name) {
      await withLogin(at(server.now().ownerUrl, 'lintel'), async (sql) => {
        await sql`create database ${sql(name)} template ${sql(TEMPLATE)}`;
      });
      return { name, ownerUrl: at(server.now().ownerUrl, name), appUrl: at(server.now().appUrl, name) };
    },
    crash: () => server.crash(),
    stop: () => server.stop(),
  };
}

/** Opens a connection for the duration of some work. */
export async function withLogin<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connection: { TimeZone: 'UTC' } });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

export function at(url: string, database: string, port?: number): string {
  const result = new URL(url);
  result.pathname = `/${database}`;
  if (port !== undefined) result.port = String(port);
  return result.href;
}
