import { lt } from 'drizzle-orm';
import { appliedOperations } from '#db/schema/live.ts';
import { DAY_MS } from '#shared/dates.ts';
import { sweepLinks } from '../accounts/account-links.ts';
import { sweepChallenges } from '../accounts/passkey-challenges.ts';
import { sweepCodes } from '../features/displays/codes.commands.ts';
import { sweepFiles } from '../features/files/files.sweep.ts';
import type { FileLayer } from '../features/files/uploads.writes.ts';
import { sweepAttempts } from '../features/session/throttle.ts';
import { sweepNotices } from '../features/users/notices.ts';
import { sweepDeliveries } from '../features/webhooks/sweep-deliveries.ts';
import type { Services } from '../kernel/context.ts';
import { fileLayer } from './file-layer.ts';

/** How long a repeated operation still gets the stored answer (rule S5). */
const OPERATIONS_KEPT_MS = 180 * DAY_MS;

/**
 * Deletes expired rows and files: sessions, counted sign-in attempts, used challenges, one-time links, codes of screens, old
 * notices and deliveries of webhooks, incomplete uploads, and answers of old operations.
 */
export async function sweep(services: Services, files: FileLayer = fileLayer): Promise<void> {
  const { sessions, db, clock, disk, log } = services;
  const now = clock.now();
  await sessions.sweep();
  await sweepAttempts(db, now);
  await sweepChallenges(db, now);
  await sweepLinks(db, now);
  await sweepCodes(services, now);
  await sweepNotices(db, now);
  await sweepDeliveries(db, now);
  await sweepFiles(services, files, now);
  if (await disk.isLow()) log.error({ bytes: await disk.left() }, 'the disk is nearly full');
  const oldest = new Date(now.getTime() - OPERATIONS_KEPT_MS).toISOString();
  await db.delete(appliedOperations).where(lt(appliedOperations.createdAt, oldest));
}
