import { expect } from 'vitest';
import { connect, type DatabaseClient } from '#db/client.ts';
import { recorder } from '#server/kernel/recorder.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Role } from '#shared/permissions.ts';
import { createTestDatabase, type TestDatabase } from '../postgres/database.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '../rows/factories.ts';
import { createTestClient, type TestClient } from '../server/client.ts';
import { startTestServer, type TestServer } from '../server/server.ts';
import { openStream, type StreamClient } from './live-client.ts';

/** The events of a stream without those of the pulse's figures, which follow from the other events. */
export const changesOf = (stream: Pick<StreamClient, 'events'> | undefined): StreamClient['events'] =>
  (stream?.events ?? []).filter(({ entity }) => entity !== 'buildingPulse');

/** A person with a session and a client. */
export type SignedInPerson = { id: string; cookie: string; client: TestClient };

/** A database, a server on it, two buildings, and an administrator. */
export type LiveSetting = {
  database: TestDatabase;
  server: TestServer;
  /** The schema owner's connection. */
  owner: DatabaseClient;
  here: TestBuilding;
  there: TestBuilding;
  admin: SignedInPerson;
  someone(role: Role, buildings?: readonly TestBuilding[]): Promise<SignedInPerson>;
  /** Follows the stream with the stock client; closed by `closeStreams`. */
  follow(cookie: string | undefined, options?: FollowOptions): StreamClient;
  /**
   * Waits until everything saved so far has a position, then follows the stream and waits for the first frame. Otherwise
   * the stream could begin with earlier events, because a save is answered before its events have a position.
   */
  followed(cookie: string, options?: FollowOptions): Promise<StreamClient>;
  /**
   * Reports an issue through the API.
   * @returns its id
   */
  report(building: TestBuilding, title?: string): Promise<string>;
  /** Inserts many events into the outbox and sequences them. */
  pour(building: TestBuilding, count: number, textLength?: number): Promise<void>;
  /** The newest position, once every saved event has a position. */
  newest(): Promise<number>;
  closeStreams(): Promise<void>;
  end(): Promise<void>;
};
type FollowOptions = NonNullable<Parameters<typeof openStream>[2]> & { server?: TestServer };

export async function createLiveSetting(
  overrides: Parameters<typeof startTestServer>[1] = {},
): Promise<LiveSetting> {
  const database = await createTestDatabase();
  const server = await startTestServer(database, overrides);
  const owner = connect(database.ownerUrl, { max: 2 });
  const here = await createBuilding(server.services, { name: 'Here' });
  const there = await createBuilding(server.services, { name: 'There' });
  const streams: StreamClient[] = [];
  /** Gives every saved change its position. */
  const sequence = async () => {
    for (;;) {
      const [moved] = await owner.sql<{ n: number }[]>`select n from sequence_events()`;
      if (moved?.n === 0) return;
    }
  };

  async function newest(): Promise<number> {
    await sequence();
    const [event] = await owner.sql<{ g: number }[]>`select coalesce(max(g), 0)::int as g from events`;
    return event?.g ?? 0;
  }

  async function someone(role: Role, buildings: readonly TestBuilding[] = []): Promise<SignedInPerson> {
    const person = await createPerson(server.services, { role, buildings: buildings.map(({ id }) => id) });
    const cookie = await signInAs(server, person);
    return { id: person.id, cookie, client: createTestClient(server.url, cookie) };
  }
  const admin = await someone('admin');

  function follow(cookie: string | undefined, options: FollowOptions = {}): StreamClient {
    const { server: at = server, ...rest } = options;
    const client = openStream(at.url, cookie, rest);
    streams.push(client);
    return client;
  }

  return {
    database,
    server,
    owner,
    here,
    there,
    admin,
    someone,
    follow,
    async followed(cookie, options = {}) {
      const saved = await newest();
      const { live } = options.server ?? server;
      await expect.poll(() => live.figures()['position']).toBeGreaterThanOrEqual(saved);
      const client = follow(cookie, options);
      await expect.poll(() => client.frames.length).toBeGreaterThan(0);
      return client;
    },
    async report(building, title = 'A tap drips') {
      const id = uuidv7();
      await admin.client.issues.create.mutate({
        operationId: uuidv7(),
        id,
        buildingId: building.id,
        title,
        description: '',
        priority: 'low',
      });
      return id;
    },
    async pour(building, count, textLength = 10) {
      await owner.sql`
        insert into outbox (stream, at, command, entity, entity_id, op, version, permission, buildings, payload)
        select 'building:' || ${building.id}, now(), 'test.pour', 'issue', gen_random_uuid(), 'put', 1,
          'view_building_issues', array[${building.id}]::uuid[],
          json_build_object('row', json_build_object('n', n, 'text', repeat('x', ${textLength})), 'changes', null)::text
        from generate_series(1, ${count}) n`;
      await sequence();
    },
    newest,
    async closeStreams() {
      await Promise.all(streams.splice(0).map((client) => client.close()));
    },
    async end() {
      await Promise.all(streams.splice(0).map((client) => client.close()));
      await server.stop();
      await owner.close();
      await database.drop();
    },
  };
}

/** Records a change of access or ended sessions, as commands do. */
export async function tell(
  { server }: Pick<LiveSetting, 'server'>,
  work: (recorder_: ReturnType<typeof recorder>) => Promise<void>,
  at = server.services.clock.now().toISOString(),
): Promise<void> {
  const { db, sequencer } = server.services;
  await db.transaction((tx) =>
    work(recorder(tx, { command: 'test.tell', actor: null, operationId: null, at })),
  );
  sequencer.schedule();
}

/** Expects no gap between the positions of a client's frames. */
export function expectNoGap(client: StreamClient): void {
  let cursor: number | undefined;
  for (const { id, prev } of client.frames) {
    const g = Number(id.split('.')[1]);
    if (cursor !== undefined && g > cursor) expect(prev).toBeLessThanOrEqual(cursor);
    cursor = Math.max(cursor ?? 0, g);
  }
}
