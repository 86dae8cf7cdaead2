import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '#db/client.ts';

/** Keys of advisory locks; must not collide with those of another program in this database. */
const KEYS = { backup: 7_461_016, verification: 7_461_017 } as const;
const LOOK_MS = 1_000;

/** Rejects if the lock was lost together with its connection. */
export type AssertHeld = () => Promise<unknown>;

/**
 * Runs work while holding an advisory lock of the database, so that no other process does the same. Otherwise a backup
 * could delete a file that a concurrent one is about to refer to, and two verifications would share a scratch folder.
 * @param databaseUrl any login
 * @param options.onWait called once if another process holds the lock
 * @param options.tries maximum number of attempts, one a second; absent: waits until the lock is free
 * @returns undefined if the lock was not free
 */
export async function withBackupLock<T>(
  databaseUrl: string,
  kind: keyof typeof KEYS,
  options: { signal?: AbortSignal | undefined; onWait?: () => void; tries?: number },
  work: (assertHeld: AssertHeld) => Promise<T>,
): Promise<T | undefined> {
  const { signal, onWait, tries = Number.POSITIVE_INFINITY } = options;
  const { sql, close } = connect(databaseUrl, { max: 1, name: 'lintel backup' });
  try {
    // Reserved, so that the driver does not replace the connection by a newer one, which would not have the lock.
    const connection = await sql.reserve();
    try {
      for (let tried = 1; ; tried += 1) {
        const [row] = await connection<
          { mine: boolean }[]
        >`select pg_try_advisory_lock(${KEYS[kind]}) as mine`;
        if (row?.mine === true) break;
        if (tried >= tries) return undefined;
        if (tried === 1) onWait?.();
        await pause(LOOK_MS, undefined, { signal });
      }
      return await work(() => connection`select 1`);
    } finally {
      connection.release();
    }
  } finally {
    // Closing the connection releases the lock.
    await close();
  }
}
