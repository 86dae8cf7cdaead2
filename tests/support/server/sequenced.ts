import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Database } from '#db/client.ts';

/** The databases of the servers that run in this process, by address. */
const databases = new Map<string, Database>();

/** @returns a function that forgets the server again */
export function noteServer(url: string, db: Database): () => void {
  databases.set(url, db);
  return () => void databases.delete(url);
}

/**
 * Waits until every event committed so far has its position. A command is answered before that, but histories and the
 * activity are read only from events with a position.
 */
export async function untilSequenced(url: string): Promise<void> {
  const db = databases.get(url);
  if (db === undefined) return;
  const waiting = () => db.execute<{ id: string }>(sql`select id from outbox limit 1`);
  await expect.poll(waiting).toHaveLength(0);
}
