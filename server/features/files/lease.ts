import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { storedFiles } from '#db/schema/files.ts';
import type { Fence } from '../../adapters/storage/arrivals.ts';
import { StorageError } from '../../adapters/storage/storage.ts';
import { CLOCKS_AGREE_MS } from '../../kernel/server-clock.ts';

/** How long a writer that does not renew its lease blocks other writers, in milliseconds. */
const LEASE_MS = 6_000;
/** A writer stops this long before its lease ends, so that its last write has ended by then. */
const MARGIN_MS = 2_000;
const LOOK_EVERY_MS = 50;

export type Lease = Fence & {
  /** @returns false if the lease was no longer held, because a newer writer has taken over or the upload has ended */
  release(): Promise<boolean>;
};

/**
 * Makes the caller the only writer of an upload (rules U3 and U4). It raises the fence at once: from then on, no older writer can
 * record anything. Then it waits until the older writer has stopped, or its lease has ended.
 * @param lost called when a newer writer has taken over
 * @throws StorageError `fenced` if a newer writer takes over in the meantime, or if the file is no longer reserved
 */
export async function takeLease(db: Database, fileId: string, lost: () => void): Promise<Lease> {
  const until = sql`clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'`;
  // A lease that ends more than a minute later than a new one was written while the database's clock was ahead; it is void.
  const latest = sql`${until} + ${CLOCKS_AGREE_MS} * interval '1 millisecond'`;
  const isFree = sql`(${storedFiles.holder} is null or ${storedFiles.leasedUntil} not between clock_timestamp() and ${latest})`;
  // The holder before this statement; null if the lease was released.
  const before = sql`(
    select ${storedFiles.id} as id, ${storedFiles.holder} as holder from ${storedFiles}
    where ${storedFiles.id} = ${fileId} for update
  ) before`;
  type Taken = { number: number; holder: number | null; before: number | null };
  let began = performance.now();
  const [raised] = await db.execute<Taken>(sql`
    update ${storedFiles} set fence = ${storedFiles.fence} + 1,
      -- An upload that goes on is not at rest, whatever its announcement's age.
      announced_at = clock_timestamp(),
      holder = case when ${isFree} then ${storedFiles.fence} + 1 else ${storedFiles.holder} end,
      leased_until = case when ${isFree} then ${until} else ${storedFiles.leasedUntil} end
    from ${before}
    where ${storedFiles.id} = before.id and ${storedFiles.state} = 'reserved'
    returning ${storedFiles.fence} as number, ${storedFiles.holder} as holder, before.holder as before`);
  if (raised === undefined) throw new StorageError('fenced');
  const { number } = raised;
  const mine = and(eq(storedFiles.id, fileId), eq(storedFiles.holder, number));
  let last = raised;
  while (last.holder !== number) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    began = performance.now();
    const [taken] = await db.execute<Taken>(sql`
      update ${storedFiles} set
        holder = case when ${isFree} then ${number}::integer else ${storedFiles.holder} end,
        leased_until = case when ${isFree} then ${until} else ${storedFiles.leasedUntil} end
      from ${before}
      where ${storedFiles.id} = before.id and ${storedFiles.fence} = ${number} and ${storedFiles.state} = 'reserved'
      returning ${storedFiles.fence} as number, ${storedFiles.holder} as holder, before.holder as before`);
    if (taken === undefined) throw new StorageError('fenced');
    last = taken;
  }
  const tookOver = last.before !== null;

  // Counted from before the statement, so that the lease ends in this process before it ends in the database.
  let heldUntil = began + LEASE_MS - MARGIN_MS;
  async function renew(): Promise<void> {
    const asked = performance.now();
    const renewed = await db
      .update(storedFiles)
      .set({ leasedUntil: until })
      .where(and(mine, eq(storedFiles.fence, number)))
      .returning({ id: storedFiles.id });
    heldUntil = renewed.length === 0 ? 0 : asked + LEASE_MS - MARGIN_MS;
    if (renewed.length === 0) lost();
  }
  // Renewed often, because this writer notices a newer one when it renews, and the newer one waits for that.
  const renewal = setInterval(() => void renew().catch(() => undefined), LEASE_MS / 12);
  return {
    number,
    tookOver,
    assertHeld() {
      if (performance.now() > heldUntil) throw new StorageError('fenced');
    },
    async release() {
      clearInterval(renewal);
      heldUntil = 0;
      const released = await db
        .update(storedFiles)
        .set({ holder: null, leasedUntil: null })
        .where(mine)
        .returning({ id: storedFiles.id });
      return released.length > 0;
    },
  };
}
