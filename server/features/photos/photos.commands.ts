import { and, eq } from 'drizzle-orm';
import { fileTypeFromBuffer } from 'file-type';
import type { Transaction } from '#db/client.ts';
import { photos } from '#db/schema/photos.ts';
import { AppError } from '#shared/errors.ts';
import type { AnnouncePhotoInput, PhotoProgress, RemovePhotoInput } from '#shared/features/photos.ts';
import { PHOTO_TYPES, PHOTOS_MAX } from '#shared/features/photos.vocabulary.ts';
import { photoMessages } from '#shared/features/photos-messages.ts';
import { fullName } from '#shared/names.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { Services, SignedInContext } from '../../kernel/context.ts';
import { assertRoomForPhoto } from './photo-quota.ts';
import { lockPhoto, photoKey, selectPhotos } from './photo-row.ts';
import { type PhotoTargetRow, resolvePhotoTarget } from './photo-targets.ts';
import { countPhotos } from './photos.queries.ts';

const THUMBNAIL_TYPES: readonly string[] = ['image/jpeg', 'image/webp'];

/**
 * Reserves a photo before its bytes arrive, and returns how many of them are stored. A repeated announcement returns
 * the same, so that a phone learns where to continue.
 */
export async function announcePhoto(ctx: SignedInContext, input: AnnouncePhotoInput): Promise<PhotoProgress> {
  const { storage, parts } = ctx.services;
  const { operationId: _once, of: _place, thumbnail, ...announced } = input;
  const small = thumbnail === undefined ? null : await pictureIn(thumbnail);
  const row = await runCommand(ctx, 'photos.announce', input, async ({ tx, actor, now }) => {
    const place = await resolvePhotoTarget(tx, actor, input);
    const known = await announcedBefore(tx, actor, place, input, now);
    if (known !== undefined) return known;
    if ((await countPhotos(tx, place)) >= PHOTOS_MAX) {
      throw new AppError('invalid', { data: { fields: { id: photoMessages.tooMany(PHOTOS_MAX) } } });
    }
    await assertRoomForPhoto(tx, storage, { bytes: input.bytes, uploadedBy: actor.userId });
    const inserted = await tx
      .insert(photos)
      .values({
        ...announced,
        ...place,
        thumbnail: small,
        announcedAt: now,
        uploadedBy: actor.userId,
        uploadedByName: fullName(actor),
        importedByName: broughtBy(ctx),
      })
      .onConflictDoNothing({ target: photos.id })
      .returning({ id: photos.id, state: photos.state, version: photos.version });
    // Another copy of this announcement was faster; a new statement sees its row.
    const made = inserted[0] ?? (await announcedBefore(tx, actor, place, input, now));
    if (made === undefined) throw new AppError('busy');
    return made;
  });
  const stored = row.state !== 'reserved';
  const received = stored ? input.bytes : await parts.size(input.id.toLowerCase());
  return { id: input.id, version: row.version, received, stored };
}

/** Returns the name of the administrator who imported the photo; null for the person's own upload. */
function broughtBy({ imported, actor }: SignedInContext): string | null {
  return imported === undefined || imported.by === actor.userId ? null : imported.byName;
}

/**
 * Returns the photo if it was announced already.
 * @throws AppError `duplicate` for another photo with this id
 */
async function announcedBefore(
  tx: Transaction,
  actor: Actor,
  place: PhotoTargetRow,
  input: AnnouncePhotoInput,
  now: string,
) {
  const [before] = await tx.select().from(photos).where(eq(photos.id, input.id)).for('update');
  if (before === undefined) return undefined;
  const same =
    before.uploadedBy === actor.userId &&
    before.on === place.on &&
    before.onId === place.onId &&
    before.sha256 === input.sha256 &&
    before.bytes === input.bytes;
  if (!same) throw new AppError('duplicate');
  // Renews the announcement, so that the sweep keeps it.
  if (before.state === 'reserved') {
    await tx.update(photos).set({ announcedAt: now }).where(eq(photos.id, before.id));
  }
  return { id: before.id, state: before.state, version: before.version };
}

async function pictureIn(base64: string): Promise<Buffer> {
  const bytes = Buffer.from(base64, 'base64');
  const found = await fileTypeFromBuffer(bytes);
  if (found === undefined || !THUMBNAIL_TYPES.includes(found.mime)) {
    throw new AppError('invalid', { data: { fields: { thumbnail: photoMessages.notAPicture } } });
  }
  return bytes;
}

/**
 * Completes a photo whose bytes have all arrived: checks type and hash, moves the file into the storage, and then marks
 * the row as stored and records the event. A repeated call returns the same.
 * @throws AppError `conflict` if the hash differs: the bytes are dropped, and the phone starts again
 */
export async function receivePhoto(ctx: SignedInContext, id: string): Promise<PhotoProgress> {
  const { db, storage, parts } = ctx.services;
  const [row] = await db
    .select()
    .from(photos)
    .where(and(eq(photos.id, id), eq(photos.uploadedBy, ctx.actor.userId)));
  if (row === undefined) throw new AppError('not_found');
  if (row.state === 'reserved') {
    await refuseOther(ctx.services, row);
    try {
      // Writing again is harmless: the key follows from the row, the content from the hash.
      await storage.put(photoKey(row), parts.read(id), {
        maxBytes: row.bytes,
        sha256: row.sha256,
        overwrite: true,
      });
    } catch (error) {
      if (Reflect.get(Object(error), 'code') !== 'mismatch') throw error;
      await parts.delete(id);
      throw new AppError('conflict', {
        message: photoMessages.damaged,
        data: { fields: { received: 0 }, version: row.version },
        cause: error,
      });
    }
  }
  const { version } = await runCommand(
    ctx,
    'photos.receive',
    { operationId: id, sha256: row.sha256 },
    async ({ tx, now, record }) => {
      const locked = await lockPhoto(tx, id);
      if (locked.state !== 'reserved') return { version: locked.version };
      const next = locked.version + 1;
      await tx
        .update(photos)
        .set({ state: 'stored', receivedAt: now, version: next })
        .where(eq(photos.id, id));
      const [written] = await selectPhotos(tx).where(eq(photos.id, id));
      if (written === undefined) throw new Error(`photo ${id} is gone in the transaction that wrote it`);
      await record({ op: 'put', entity: 'photo', row: written, changes: null });
      return { version: next };
    },
  );
  await parts.delete(id);
  return { id, version, received: row.bytes, stored: true };
}

/** Checks by the first bytes that the file is a picture of the announced type. */
async function refuseOther({ parts, db }: Services, row: typeof photos.$inferSelect): Promise<void> {
  const found = await fileTypeFromBuffer(await firstBytes(parts.read(row.id)));
  const type = PHOTO_TYPES.find((known) => known === found?.mime);
  if (type === row.contentType) return;
  await db.delete(photos).where(and(eq(photos.id, row.id), eq(photos.state, 'reserved')));
  await parts.delete(row.id);
  throw new AppError('invalid', { data: { fields: { file: photoMessages.notAPicture } } });
}

const SNIFF_BYTES = 4_100;
async function firstBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    length += piece.byteLength;
    if (length >= SNIFF_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, SNIFF_BYTES);
}

/**
 * Removes a photo from an issue. Allowed for its uploader and for people who manage issues. Photos of checks and of
 * completions cannot be removed.
 */
export async function removePhoto(
  ctx: SignedInContext,
  input: RemovePhotoInput,
): Promise<{ id: string; version: number }> {
  const removed = await runCommand(ctx, 'photos.remove', input, async ({ tx, actor, record }) => {
    const [row] = await selectPhotos(tx)
      .where(and(eq(photos.id, input.id), eq(photos.state, 'stored'), visibleTo(actor, photos.buildingId)))
      .for('update', { of: photos });
    if (row === undefined) throw new AppError('not_found');
    const may = row.uploadedBy === actor.userId || actor.permissions.includes('manage_building_issues');
    if (row.on !== 'issue' || !may) throw new AppError('forbidden', { message: photoMessages.kept });
    const version = row.version + 1;
    await tx.update(photos).set({ state: 'removed', version }).where(eq(photos.id, row.id));
    await record({ op: 'del', entity: 'photo', row: { ...row, version }, changes: null });
    return { id: row.id, version };
  });
  return removed;
}
