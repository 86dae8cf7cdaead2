import { lt } from 'drizzle-orm';
import { appliedOperations } from '#db/schema/live.ts';
import { DAY_MS } from '#shared/dates.ts';
import type { Services } from './context.ts';
import { describeError } from './database-errors.ts';
import { sweepPhotos } from './features/photos/photos.sweep.ts';
import { sweepAttempts } from './features/session/throttle.ts';
import { sweepNotices } from './features/users/notices.ts';
import { sweepLinks } from './setup/account-links.ts';

/** So long after a change a second copy of it still gets the first one's answer (rule S5). */
const OPERATIONS_KEPT_MS = 180 * DAY_MS;
const SWEEP_EVERY_MS = 3_600_000;

/** Removes what has expired: sessions, counted attempts to sign in, one-time links, old notices, uploads that never ended, answers to old operations. */
export async function sweep(services: Services): Promise<void> {
  const { sessions, db, clock, disk, log } = services;
  const now = clock.now();
  await sessions.sweep();
  await sweepAttempts(db, now);
  await sweepLinks(db, now);
  await sweepNotices(db, now);
  await sweepPhotos(services, now);
  if (await disk.isLow()) log.error({ bytes: await disk.left() }, 'the disk is nearly full');
  const oldest = new Date(now.getTime() - OPERATIONS_KEPT_MS).toISOString();
  await db.delete(appliedOperations).where(lt(appliedOperations.createdAt, oldest));
}

/**
 * Sweeps now and then. The next time tries again what fails in this one.
 * @returns what ends it, once a sweep that is under way is over
 */
export function startSweeping(services: Services, everyMs: number = SWEEP_EVERY_MS): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = sweep(services).catch((error: unknown) => {
      services.log.warn({ causes: describeError(error) }, 'expired rows could not be removed');
    });
  }, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
