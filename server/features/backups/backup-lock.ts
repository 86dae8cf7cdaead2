import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '#db/client.ts';

/** Key of the advisory lock; must not collide with one of another program in this database. */
const BACKUP_LOCK = 7_461_016;
const LOOK_MS = 1_000;

/**
 * Runs work while no other process with this database makes a backup. Without the lock, one process could delete a file that
 * no backup refers to yet, while another is about to rely on it.
 * @param databaseUrl any login
 * @param onWait called once if another process holds the lock
 */
export async function withBackupLock<T>(
  databaseUrl: string,
  { signal, onWait }: { signal: AbortSignal | undefined; onWait: () => void },
  work: () => Promise<T>,
): Promise<T> {
  const { sql, close } = connect(databaseUrl, { max: 1, name: 'lintel backup' });
  try {
    // The pool is one connection, to which the lock belongs.
    for (let tries = 0; ; tries += 1) {
      const [row] = await sql<{ mine: boolean }[]>`select pg_try_advisory_lock(${BACKUP_LOCK}) as mine`;
      if (row?.mine === true) break;
      if (tries === 0) onWait();
      await pause(LOOK_MS, undefined, { signal });
    }
    return await work();
  } finally {
    // Ends the lock, too.
    await close();
  }
}
