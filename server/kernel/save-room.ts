import { AppError } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';
import type { DiskUse } from '../adapters/storage/disk-space.ts';
import type { Services } from './context.ts';

/** Saved for as long as anything is: records of checks, and who may see what. */
const LAST = ['checks.', 'users.'];
/** As large as files. What is announced of photos has a bound of its own. */
const FIRST = ['imports.'];

/** Whether there is room on the disk of the database; true where another machine has it, which looks for itself. */
export async function hasRoomToSave(
  { env, disk }: Pick<Services, 'env' | 'disk'>,
  use: DiskUse,
): Promise<boolean> {
  return env.databaseUrl !== undefined || (await disk.hasRoomFor(use));
}

/**
 * Looked at before each command, because a database without room for its log ends, for reading as well.
 * @throws AppError `busy`, for this change alone: a phone keeps it, and sends what may be saved
 */
export async function assertRoomToSave(
  services: Pick<Services, 'env' | 'disk'>,
  procedure: string,
): Promise<void> {
  if (await hasRoomToSave(services, diskUseOf(procedure))) return;
  throw new AppError('busy', { message: messages.common.serverFull, data: { thisOnly: true } });
}

function diskUseOf(procedure: string): DiskUse {
  const isOneOf = (beginnings: readonly string[]) => beginnings.some((one) => procedure.startsWith(one));
  if (isOneOf(LAST)) return 'records';
  return isOneOf(FIRST) ? 'files' : 'changes';
}
