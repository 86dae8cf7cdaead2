import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Database } from '#db/client.ts';

/** The databases of the servers that run in this process, by port: a server has several host names. */
const databases = new Map<string, Database>();

const portOf = (url: string) => new URL(url).port;

/** @returns a function that forgets the server again */
export function noteServer(url: string, db: Database): () => void {
  databases.set(portOf(url), db);
  return () => void databases.delete(portOf(url));
}

/**
 * Waits until every event committed so far has its position. A command is answered before that, but histories and the
 * activity are read only from events with a position.
 * @throws if no server of this process has the address, because a test that does not wait fails by chance
 */
export async function untilSequenced(url: string): Promise<void> {
  const db = databases.get(portOf(url));
  if (db === undefined) throw new Error(`no server of this process is at ${url}`);
  const waiting = () => db.execute<{ id: string }>(sql`select id from outbox limit 1`);
  await expect.poll(waiting).toHaveLength(0);
}
