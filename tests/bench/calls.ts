import { pause } from '#tests/support/pace.ts';
import { type OwnDatabase, withLogin } from '#tests/support/postgres/own-postgres.ts';
import { type Child, startChild } from '#tests/support/server/child.ts';
import { callFigures, type Measured } from './call-figures.ts';
import { CALL_NAMES } from './call-kinds.ts';
import { type CallPlaces, populateForCalls } from './data/call-population.ts';
import type { Figure } from './figure.ts';
import { footprint } from './footprint.ts';
import { cpuOf, cpuOfTree, parentOf } from './proc-stat.ts';
import { startBuilt } from './processes/built-server.ts';
import type { CallerHandlers } from './processes/caller.ts';
import { PLAIN_EVENTS } from './processes/plain-calls.ts';
import type { PlainHandlers } from './processes/plain-server.ts';
import { countRoundTrips } from './round-trips.ts';
import type { Setting } from './setting.ts';

/** Numbers of callers that send at a time. */
const CALLERS = [1, 8, 32] as const;
const SECONDS = 1.5;
const WARM_UP = { callers: 8, until: { seconds: 0.7 } } as const;
/** Time to sequence the last events, which is part of the cost of their calls. */
const SETTLE_MS = 150;

/** A server under measurement, with a process of callers of its own. */
type Side = { url: string; pid: number; caller: Child<CallerHandlers> };

/** The cost of a call, from a client process over HTTP: the packaged server beside a plain handler on the same Postgres. */
export async function calls(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('calls');
  const plainDatabase = await setting.database('plain_calls');
  const places = await populateForCalls(database);
  const plainPlaces = await populateForCalls(plainDatabase);
  await withLogin(plainDatabase.ownerUrl, async (sql) => {
    await sql.unsafe(PLAIN_EVENTS);
    const login = new URL(plainDatabase.appUrl).username;
    await sql`grant select, insert on plain_events to ${sql(login)}`;
  });
  const built = await startBuilt(setting, database);
  const lintel = { ...built, caller: await startCaller(setting, places) };
  const plain = {
    ...(await startPlain(setting, plainDatabase.appUrl)),
    caller: await startCaller(setting, plainPlaces),
  };
  const postmaster = await postmasterOf(database);
  const found = await compare(setting, { lintel, plain }, postmaster);
  await built.stop();
  const trips = {
    lintel: await countRoundTrips(setting.postgres.port(), lintel.caller, async (port) => {
      const through = await startBuilt(setting, { ...database, appUrl: onPort(database.appUrl, port) });
      return { url: through.url, stop: through.stop };
    }),
    plain: await countRoundTrips(setting.postgres.port(), plain.caller, (port) =>
      startPlain(setting, onPort(plainDatabase.appUrl, port)),
    ),
  };
  return [...callFigures(found, trips), ...(await footprint(setting, database, places, lintel.caller))];
}

async function startCaller(setting: Setting, places: CallPlaces): Promise<Child<CallerHandlers>> {
  const caller = startChild<CallerHandlers>(new URL('./processes/caller.ts', import.meta.url));
  setting.after(() => caller.kill());
  await caller.ask('prepare', places);
  return caller;
}

async function startPlain(setting: Setting, databaseUrl: string) {
  const child = startChild<PlainHandlers>(new URL('./processes/plain-server.ts', import.meta.url));
  setting.after(() => child.kill());
  const url = await child.ask('listen', { databaseUrl });
  return { url, pid: child.pid, stop: () => child.kill() };
}

/** Runs every call with each number of callers at each server in turn, round by round. */
async function compare(
  setting: Setting,
  sides: Record<'lintel' | 'plain', Side>,
  postmaster: number | undefined,
): Promise<Measured[]> {
  const found: Measured[] = [];
  const both = ['lintel', 'plain'] as const;
  for (let round = 0; round < setting.rounds; round += 1) {
    for (const call of CALL_NAMES) {
      for (const callers of CALLERS) {
        // Every other round runs in reverse order, so that neither always comes first.
        for (const server of round % 2 === 0 ? both : both.toReversed()) {
          const { url, pid, caller } = sides[server];
          if (callers === 1) await caller.ask('run', { url, call, ...WARM_UP });
          await pause(SETTLE_MS);
          const before = cpuNow(pid, postmaster);
          const ran = await caller.ask('run', { url, call, callers, until: { seconds: SECONDS } });
          await pause(SETTLE_MS);
          const after = cpuNow(pid, postmaster);
          found.push({
            call,
            server,
            callers,
            ...ran,
            serverMs: (after.server - before.server) / ran.calls,
            postgresMs: (after.postgres - before.postgres) / ran.calls,
          });
        }
      }
    }
    setting.log(`round ${round + 1} of ${setting.rounds}`);
  }
  return found;
}

function cpuNow(pid: number, postmaster: number | undefined) {
  return { server: cpuOf(pid), postgres: postmaster === undefined ? Number.NaN : cpuOfTree(postmaster) };
}

/** The parent of the processes of the connections. */
function postmasterOf({ ownerUrl }: OwnDatabase): Promise<number | undefined> {
  return withLogin(ownerUrl, async (sql) => {
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    return backend && parentOf(backend.pid);
  });
}

function onPort(url: string, port: number): string {
  const through = new URL(url);
  through.port = String(port);
  return through.href;
}
