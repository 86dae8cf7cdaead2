import { and, eq } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { storedFiles } from '#db/schema/files.ts';
import type { Actor } from '../../access/actor.ts';
import type { Services } from '../../kernel/context.ts';
import type { FileRow } from './files.writes.ts';
import { storeOf } from './store-of.ts';

/** How long a link to a file works, in seconds. */
export const LINK_SECONDS = 3_600;

/**
 * Makes the address under which this person may read a file: for an hour, with their session, and as long as its
 * purpose lets them (rule U9).
 * @param disposition `inline` is for types that a browser may show; others are downloaded in any case
 */
export function fileLink(
  { links, clock }: Pick<Services, 'links' | 'clock'>,
  { userId }: Pick<Actor, 'userId'>,
  fileId: string,
  disposition: 'inline' | 'attachment',
): string {
  const expires = Math.floor(clock.now().getTime() / 1_000) + LINK_SECONDS;
  const d = disposition === 'inline' ? 'i' : 'a';
  return links.sign(`/files/${fileId}?d=${d}&e=${expires}&u=${userId}`);
}

/** Reads a file that is stored and not removed. */
export async function readStoredFile(db: Queryable, id: string): Promise<FileRow | undefined> {
  const [row] = await db
    .select()
    .from(storedFiles)
    .where(and(eq(storedFiles.id, id), eq(storedFiles.state, 'stored')));
  return row;
}

/** Reads an upload of this person, in any state; undefined if there is none. */
export async function readOwnUpload(
  db: Queryable,
  { userId }: Pick<Actor, 'userId'>,
  id: string,
): Promise<FileRow | undefined> {
  const [row] = await db
    .select()
    .from(storedFiles)
    .where(and(eq(storedFiles.id, id), eq(storedFiles.uploadedBy, userId)));
  return row;
}

/** Returns the number of bytes of an upload that have arrived; all bytes once the file is stored. */
export async function receivedBytes(services: Pick<Services, 'stores'>, file: FileRow): Promise<number> {
  return file.state === 'reserved' ? storeOf(services, file).arrivals.received(file) : file.bytes;
}
