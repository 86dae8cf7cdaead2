import { AppError } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';
import type { DiskUse } from '../adapters/storage/disk-space.ts';
import type { Services } from './context.ts';

/** Never refused: commands that end access or free space. They help most when the disk is full, and write little. */
const NEVER = new Set([
  'apiKeys.revoke',
  'displays.unpair',
  'documents.remove',
  'photos.remove',
  'users.endMySession',
  'users.endSessions',
  'users.revoke',
  'users.setAccess',
  'users.setActive',
  'users.setRole',
]);
/** Refused last when the disk fills up: records of checks, and changes of access. */
const LAST = ['checks.', 'users.'];
/** Refused first: files and imports are large. Photos have a limit of their own (`photo-quota.ts`). */
const FIRST = ['imports.', 'documents.announce'];

/** Returns whether the database's disk has room; true for an external database, whose disk this server cannot measure. */
export async function hasRoomToSave(
  { env, disk }: Pick<Services, 'env' | 'disk'>,
  use: DiskUse,
): Promise<boolean> {
  return env.databaseUrl !== undefined || (await disk.hasRoomFor(use));
}

/**
 * Called before each command, and before all other code that adds rows for a caller: an embedded Postgres without room for its
 * WAL stops, even for reads.
 * @throws AppError `busy` for this change only: a phone keeps the change, and still sends changes that may be saved
 */
export async function assertRoomToSave(
  services: Pick<Services, 'env' | 'disk'>,
  procedure: string,
): Promise<void> {
  if (NEVER.has(procedure) || (await hasRoomToSave(services, diskUseOf(procedure)))) return;
  throw new AppError('busy', { message: messages.common.serverFull, data: { thisOnly: true } });
}

function diskUseOf(procedure: string): DiskUse {
  const isOneOf = (beginnings: readonly string[]) => beginnings.some((one) => procedure.startsWith(one));
  if (isOneOf(LAST)) return 'records';
  return isOneOf(FIRST) ? 'files' : 'changes';
}
