import { and, arrayContains, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#db/client.ts';
import { heldVisits } from '#db/schema/checks/schedules.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { taskLines } from '#db/schema/tasks.ts';
import { AppError } from '#shared/errors.ts';
import type { AnnouncePhotoInput } from '#shared/features/photos/photos.ts';
import type { PhotoTarget } from '#shared/features/photos/photos.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';

/** The row that a photo belongs to, and its building; null while its visit is held. */
export type PhotoTargetRow = PhotoTarget & { buildingId: string | null };

/**
 * Finds the row that a photo belongs to.
 * @throws AppError `not_found` if it does not exist or this person may not see it, `forbidden` if they may not change
 *   it
 */
export async function resolvePhotoTarget(
  db: Queryable,
  actor: Actor,
  { id, of }: AnnouncePhotoInput,
): Promise<PhotoTargetRow> {
  if ('issueId' in of) return onIssue(db, actor, of.issueId);
  if ('completionId' in of) return onCompletion(db, actor, of.completionId);
  return onCheck(db, actor, of.visitId, id);
}

/** Allowed for people who may edit issues, and for the person who reported this one (ruling R9). */
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
 * Allowed for people who may edit tasks, and for the person who recorded the completion: photos are evidence, so a phone
 * may send them after its owner's access has changed.
 */
async function onCompletion(db: Queryable, actor: Actor, id: string): Promise<PhotoTargetRow> {
  const [line] = await db
    .select({
      buildingId: taskLines.buildingId,
      recordedBy: taskLines.recordedBy,
      isVisible: sql<boolean>`${visibleTo(actor, taskLines.buildingId)}`,
    })
    .from(taskLines)
    .where(and(eq(taskLines.id, id), inArray(taskLines.kind, ['completed', 'created'])));
  const isTheirs = line?.recordedBy === actor.userId;
  if (line === undefined || (!isTheirs && !line.isVisible)) throw new AppError('not_found');
  if (!isTheirs && !actor.permissions.includes('edit_tasks')) throw new AppError('forbidden');
  return { on: 'completion', onId: id.toLowerCase(), buildingId: line.buildingId };
}

/**
 * Allowed for the recorder of the visit, even if they have lost access to the building, because photos are evidence. The
 * visit lists the photos of each entry. A held visit does, too, and is treated the same whether or not its building exists.
 */
async function onCheck(
  db: Queryable,
  actor: Actor,
  visitId: string,
  photoId: string,
): Promise<PhotoTargetRow> {
  const known = await onEntry(db, actor, visitId, photoId);
  if (known !== undefined) return known;
  // Locked, so that this photo and a concurrent decision about the record are processed one after the other.
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
