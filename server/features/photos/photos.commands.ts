import { and, eq } from 'drizzle-orm';
import { fileTypeFromBuffer } from 'file-type';
import type { Transaction } from '#db/client.ts';
import { storedFiles } from '#db/schema/files.ts';
import { photos } from '#db/schema/photos.ts';
import { AppError } from '#shared/errors.ts';
import type { AnnouncePhotoInput, PhotoProgress, RemovePhotoInput } from '#shared/features/photos/photos.ts';
import { PHOTOS_MAX } from '#shared/features/photos/photos.vocabulary.ts';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { recordedName } from '../../kernel/person-names.ts';
import { readOwnUpload, receivedBytes } from '../files/files.queries.ts';
import { removeFiles, reserveFile } from '../files/files.writes.ts';
import { assertRoomForPhoto } from './photo-quota.ts';
import { PHOTO_PURPOSE, photoKey, selectPhotos } from './photo-row.ts';
import { type PhotoTargetRow, resolvePhotoTarget } from './photo-targets.ts';
import { countPhotos } from './photos.queries.ts';

const THUMBNAIL_TYPES: readonly string[] = ['image/jpeg', 'image/webp'];

/**
 * Reserves a photo before its bytes arrive, and returns how many bytes are stored. Idempotent: a repeated announcement
 * renews the reservation and tells the phone where to continue.
 * @throws AppError `duplicate` for another photo with this id
 */
export async function announcePhoto(ctx: SignedInContext, input: AnnouncePhotoInput): Promise<PhotoProgress> {
  const { services } = ctx;
  const { bytes, contentType, sha256, width, height, takenAt, thumbnail } = input;
  const id = input.id.toLowerCase();
  const small = thumbnail === undefined ? null : await pictureIn(thumbnail);
  const { version } = await runCommand(ctx, 'photos.announce', input, async (command) => {
    const { tx, actor } = command;
    const place = await resolvePhotoTarget(tx, actor, input);
    if ((await announcedOn(tx, id, place)) === undefined) {
      if ((await countPhotos(tx, place)) >= PHOTOS_MAX) {
        throw new AppError('invalid', { data: { fields: { id: photoMessages.tooMany(PHOTOS_MAX) } } });
      }
      await assertRoomForPhoto(tx, services, { bytes, uploadedBy: actor.userId });
    }
    // Locks the row of the file. Of two announcements at once, the second waits here, and then finds the photo.
    const file = { id, purpose: PHOTO_PURPOSE, bytes, contentType, sha256 };
    await reserveFile(command, services, { ...file, key: photoKey(file) });
    const [made] = await tx
      .insert(photos)
      .values({
        ...{ id, ...place, width, height, takenAt, thumbnail: small },
        uploadedBy: actor.userId,
        uploadedByName: recordedName(actor),
        importedByName: broughtBy(ctx),
      })
      .onConflictDoNothing({ target: photos.id })
      .returning({ version: photos.version });
    const announced = made ?? (await announcedOn(tx, id, place));
    if (announced === undefined) throw new AppError('duplicate');
    // With the id, because the import of unsent records reads it from the stored answer.
    return { id, version: announced.version };
  });
  const file = await readOwnUpload(services.db, ctx.actor, id);
  // The sweep has just deleted it: the phone announces it again.
  if (file === undefined) throw new AppError('busy');
  const received = await receivedBytes(services, file);
  return { id: input.id, version, received, stored: file.state !== 'reserved' };
}

/** Returns the name of the administrator who imported the photo; null for the person's own upload. */
function broughtBy({ imported, actor }: SignedInContext): string | null {
  return imported === undefined || imported.by === actor.userId ? null : imported.byName;
}

/**
 * Returns the photo if it was announced already.
 * @throws AppError `duplicate` if it belongs to another row
 */
async function announcedOn(
  tx: Transaction,
  id: string,
  { on, onId }: PhotoTargetRow,
): Promise<{ version: number } | undefined> {
  const [before] = await tx
    .select({ on: photos.on, onId: photos.onId, version: photos.version })
    .from(photos)
    .where(eq(photos.id, id));
  if (before !== undefined && (before.on !== on || before.onId !== onId)) throw new AppError('duplicate');
  return before && { version: before.version };
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
 * Removes a photo from an issue. Allowed for its uploader and for people who manage issues. Photos of checks and of
 * completions cannot be removed.
 */
export async function removePhoto(
  ctx: SignedInContext,
  input: RemovePhotoInput,
): Promise<{ id: string; version: number }> {
  return runCommand(ctx, 'photos.remove', input, async (command) => {
    const { tx, actor, record } = command;
    const [row] = await selectPhotos(tx)
      .where(
        and(eq(photos.id, input.id), eq(storedFiles.state, 'stored'), visibleTo(actor, photos.buildingId)),
      )
      .for('update', { of: storedFiles });
    if (row === undefined) throw new AppError('not_found');
    const may = row.uploadedBy === actor.userId || actor.permissions.includes('manage_building_issues');
    if (row.on !== 'issue' || !may) throw new AppError('forbidden', { message: photoMessages.kept });
    await removeFiles(command, [row.id]);
    const version = row.version + 1;
    await tx.update(photos).set({ version }).where(eq(photos.id, row.id));
    await record({ op: 'del', entity: 'photo', row: { ...row, version }, changes: null });
    return { id: row.id, version };
  });
}
