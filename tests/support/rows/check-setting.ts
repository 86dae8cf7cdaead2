import { parse } from 'csv-parse/sync';
import { CHECK_KINDS, type CheckKind, isOptional } from '#shared/features/checks/kinds.vocabulary.ts';
import { createTestDatabase, type TestDatabase } from '../postgres/database.ts';
import { createTestClient, type TestClient } from '../server/client.ts';
import { type TestClock, testClock } from '../server/clock.ts';
import { download } from '../server/files.ts';
import { startTestServer, type TestServer } from '../server/server.ts';
import { createAsset, KINDS_WITH_TYPE, visitOf } from './checks.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding, type TestPerson } from './factories.ts';

/** The server's clock in tests of checks: a Wednesday, in winter time. */
export const CHECKS_NOW = '2026-11-18T10:00:00.000Z';

export type VisitValues = Partial<Parameters<typeof visitOf>[1]>;

/** A database, a server with all kinds of checks on it, two buildings, and the people of the first one. */
export type CheckSetting = {
  database: TestDatabase;
  server: TestServer;
  clock: TestClock;
  building: TestBuilding;
  other: TestBuilding;
  operativePerson: TestPerson;
  operative: TestClient;
  manager: TestClient;
  admin: TestClient;
  adminCookie: string;
  /** Builds a visit at the building, on the current day. */
  visit(kind: CheckKind, values?: VisitValues): ReturnType<typeof visitOf>;
  /** Creates an asset of the type that a kind is about. */
  subject(
    kind: CheckKind,
    values?: Partial<Parameters<typeof createAsset>[1]>,
  ): ReturnType<typeof createAsset>;
  /** Returns a visit as the log shows it; undefined if it does not. */
  readBack(kind: CheckKind, visitId: string, client?: TestClient): ReturnType<typeof findVisit>;
  /** Returns the exported log, one record per line keyed by column name. */
  exported(filter: object): Promise<Record<string, string>[]>;
  end(): Promise<void>;
};

export async function createCheckSetting(): Promise<CheckSetting> {
  const database = await createTestDatabase();
  const clock = testClock(CHECKS_NOW);
  const server = await startTestServer(database, {
    clock,
    env: { optionalChecks: CHECK_KINDS.filter(isOptional) },
  });
  const { services } = server;
  const building = await createBuilding(services);
  const other = await createBuilding(services);
  const client = async (person: TestPerson) => createTestClient(server.url, await signInAs(server, person));
  const operativePerson = await createPerson(services, { role: 'operative', buildings: [building.id] });
  const operative = await client(operativePerson);
  const manager = await client(await createPerson(services, { role: 'manager', buildings: [building.id] }));
  const named = { role: 'admin', firstName: 'Ada', lastName: 'Lovell' };
  const adminCookie = await signInAs(server, await createPerson(services, named));
  const admin = createTestClient(server.url, adminCookie);

  return {
    ...{ database, server, clock, building, other, operativePerson, operative, manager, admin, adminCookie },
    visit: (kind, values = {}) =>
      visitOf(kind, { buildingId: building.id, now: clock.now().toISOString(), entries: [], ...values }),
    subject(kind, values = {}) {
      const type = KINDS_WITH_TYPE.find(([each]) => each === kind)?.[1] ?? 'asset';
      return createAsset(services, { buildingId: building.id, type, ...values });
    },
    readBack: (kind, visitId, reader = manager) => findVisit(reader, kind, visitId),
    async exported(filter) {
      const text = await (await download(server.url, adminCookie, 'checks', filter)).text();
      return parse(text, { bom: true, columns: true });
    },
    async end() {
      await server.stop();
      await database.drop();
    },
  };
}

async function findVisit(client: TestClient, kind: CheckKind, visitId: string) {
  const { data } = await client.checks.logRecords.query({ filter: { kind }, limit: 200 });
  return data.visits.find(({ id }) => id === visitId);
}
