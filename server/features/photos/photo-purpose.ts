import { eq, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { photos } from '#db/schema/photos.ts';
import { DAY_MS } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import type { Actor } from '../../access/actor.ts';
import type { Command } from '../../kernel/commands.ts';
import type { FilePurpose, FileRow } from '../files/files.writes.ts';
import { PHOTO_PURPOSE, photoName, selectPhotos } from './photo-row.ts';
import { photoToServe } from './photos.queries.ts';

/** Declares the files of photos to the files layer. */
export const photoPurpose: FilePurpose = {
  name: PHOTO_PURPOSE,
  command: 'photos.receive',
  // Unfinished photos have a quota. Sending one again costs 15 MB at most.
  restsMs: DAY_MS,
  // A removed photo cannot be restored.
  keptMs: 0,
  refusalOf,
  stored,
  mayRead,
  // Photos of checks and of completions are evidence and cannot be removed.
  proofsAmong: async () => [],
  abandoned,
  erased,
};

/** Only a picture of the announced type is accepted. */
function refusalOf(announced: FileRow, contentType: string): AppError | undefined {
  if (contentType === announced.contentType) return undefined;
  return new AppError('invalid', { data: { fields: { file: photoMessages.notAPicture } } });
}

async function stored({ tx, record }: Command, { id }: FileRow): Promise<{ id: string }> {
  await tx
    .update(photos)
    .set({ version: sql`${photos.version} + 1` })
    .where(eq(photos.id, id));
  const [row] = await selectPhotos(tx).where(eq(photos.id, id));
  if (row === undefined) throw new Error(`photo ${id} is gone in the transaction that stored it`);
  await record({ op: 'put', entity: 'photo', row, changes: null });
  return { id };
}

async function mayRead(db: Queryable, actor: Actor, id: string): Promise<{ name: string } | undefined> {
  const photo = await photoToServe(db, actor, id);
  return photo && { name: photoName(photo) };
}

async function abandoned(tx: Transaction, id: string): Promise<void> {
  await tx.delete(photos).where(eq(photos.id, id));
}

async function erased(tx: Transaction, id: string): Promise<void> {
  await tx.update(photos).set({ thumbnail: null }).where(eq(photos.id, id));
}
