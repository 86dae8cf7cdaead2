import { type LogKind, slugOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { editKeyOf, partKeyOf } from '../../../offline/draft-keys.ts';
import type { QueuedCommand } from '../../../offline/types.ts';
import { filesOf } from '../../photos/taken-photo.ts';
import { type CheckDraft, isCheckDraft } from '../kinds/check-draft.ts';
import type { VisitToKeep } from '../kinds/validate-visit.ts';
import { draftOfVisit } from './draft-of-visit.ts';

/** Where the form of a kind is, at a site. */
export function checkFormPath(kind: LogKind, buildingId: string): string {
  return `/operative-tasks/${slugOf(kind)}?site=${buildingId}`;
}

/**
 * Where a kept check is opened in its form: also one of an older version, which kept none, as long as all of it finds
 * its place there. Undefined for the others.
 */
export function reopenPathOf({ form, input }: Pick<QueuedCommand, 'form' | 'input'>): string | undefined {
  if (form !== null && isCheckDraft(form.value)) return form.path;
  const found = draftOfVisit(input);
  return found && checkFormPath(found.kind, found.buildingId);
}

/** What the form of a kept check held, or would hold. */
function draftIn({ form, input }: Pick<QueuedCommand, 'form' | 'input'>): CheckDraft | undefined {
  return isCheckDraft(form?.value) ? form.value : draftOfVisit(input)?.draft;
}

/**
 * The drafts in which a refused check is put right. It stays the same visit, so that the server would refuse a second
 * copy, and of the same time; only the operation is a new one.
 */
export function stageCheckDraft(
  item: QueuedCommand,
  files: ReadonlyMap<string, Blob>,
): ReadonlyMap<string, unknown> {
  const was = draftIn(item);
  if (was === undefined) throw new Error('a record without a form was opened in one');
  // Put there by `useRecord`, of this version or an older one.
  const visit = item.input as VisitToKeep;
  const { visitId, visitDate, performedAt, clock, durationSeconds, operativeName } = visit;
  const draft: CheckDraft = {
    ...was,
    operationId: uuidv7(),
    visitId,
    visitDate,
    first: { performedAt, durationSeconds, operativeName, ...(clock === undefined ? {} : { clock }) },
  };
  const key = editKeyOf(item.id);
  const drafts = new Map<string, unknown>([[key, draft]]);
  const photosOf = new Map(visit.entries.map(({ id, photoIds }) => [id, photoIds ?? []]));
  for (const [row, { id }] of Object.entries(was.entries)) {
    const photos = filesOf(item, files, typeof id === 'string' ? (photosOf.get(id) ?? []) : []);
    if (photos.length > 0) drafts.set(partKeyOf(key, row), photos);
  }
  return drafts;
}
