import { and, arrayContains, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#db/client.ts';
import { heldVisits } from '#db/schema/checks/schedules.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { AppError } from '#shared/errors.ts';
import type { AnnouncePhotoInput } from '#shared/features/photos.ts';
import type { PhotoTarget } from '#shared/features/photos.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';

/** What a photo is to hang on, and in which building that is: none while its check is held. */
export type PhotoTargetRow = PhotoTarget & { buildingId: string | null };

/**
 * Finds what a photo is of.
 * @throws AppError `not_found` for what is not there or not theirs to see, `forbidden` where they may only look
 */
export async function resolvePhotoTarget(
  db: Queryable,
  actor: Actor,
  { id, of }: AnnouncePhotoInput,
): Promise<PhotoTargetRow> {
  if ('issueId' in of) return onIssue(db, actor, of.issueId);
  return onCheck(db, actor, of.visitId, id);
}

/** For those who may edit issues, and for whoever reported this one (ruling R9). */
async function onIssue(db: Queryable, actor: Actor, id: string): Promise<PhotoTargetRow> {
  const [issue] = await db
    .select({ buildingId: buildingIssues.buildingId, reportedBy: buildingIssues.reportedBy })
    .from(buildingIssues)
    .where(and(eq(buildingIssues.id, id), visibleTo(actor, buildingIssues.buildingId)));
  if (issue === undefined) throw new AppError('not_found');
  if (!actor.permissions.includes('edit_building_issues') && issue.reportedBy !== actor.userId) {
    throw new AppError('forbidden');
  }
  return { on: 'issue', onId: id.toLowerCase(), buildingId: issue.buildingId };
}

/**
 * For whoever recorded the check, also where they have lost the building since: it is evidence. The record said which
 * of its entries each photo belongs to; so did one that is still held for an administrator, and that one answers alike
 * whether there is such a building or not.
 */
async function onCheck(
  db: Queryable,
  actor: Actor,
  visitId: string,
  photoId: string,
): Promise<PhotoTargetRow> {
  const known = await onEntry(db, actor, visitId, photoId);
  if (known !== undefined) return known;
  // Locked: either the photo is seen by the decision that lets the record in, or the decision by the photo.
  const [held] = await db
    .select({ input: heldVisits.input })
    .from(heldVisits)
    .where(and(eq(heldVisits.id, visitId), eq(heldVisits.recordedBy, actor.userId)))
    .for('share');
  const letIn = held && (await onEntry(db, actor, visitId, photoId));
  if (letIn !== undefined) return letIn;
  const waiting = held && heldSchema.safeParse(JSON.parse(held.input)).data;
  const line = waiting?.entries.find(({ photoIds }) => photoIds.includes(photoId.toLowerCase()));
  if (line === undefined) throw new AppError('not_found');
  return { on: 'check', onId: line.id, buildingId: null };
}

async function onEntry(
  db: Queryable,
  actor: Actor,
  visitId: string,
  photoId: string,
): Promise<PhotoTargetRow | undefined> {
  const [entry] = await db
    .select({ onId: checkEntries.id, buildingId: checkEntries.buildingId })
    .from(checkEntries)
    .innerJoin(operativeVisits, eq(operativeVisits.id, checkEntries.visitId))
    .where(
      and(
        eq(checkEntries.visitId, visitId),
        arrayContains(checkEntries.photoIds, [photoId]),
        eq(operativeVisits.recordedBy, actor.userId),
      ),
    );
  return entry && { on: 'check', ...entry };
}

const lowerId = z.string().toLowerCase();
const heldSchema = z.object({
  entries: z.array(z.object({ id: lowerId, photoIds: z.array(lowerId).default([]) })),
});
