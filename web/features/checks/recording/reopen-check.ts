import { type LogKind, slugOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { editKeyOf, partKeyOf } from '../../../offline/draft-keys.ts';
import type { QueuedCommand } from '../../../offline/types.ts';
import { filesOf } from '../../photos/taken-photo.ts';
import { type CheckDraft, isCheckDraft } from '../kinds/check-draft.ts';
import type { VisitInput } from '../kinds/validate-visit.ts';
import { draftOfVisit } from './draft-of-visit.ts';

/** Returns the path of the form of a kind at a site. */
export function checkFormPath(kind: LogKind, buildingId: string): string {
  return `/operative-tasks/${slugOf(kind)}?site=${buildingId}`;
}

/**
 * Returns the path at which a queued check opens in its form. A record of an older version without a stored draft
 * qualifies if all of its values fit the form; otherwise undefined.
 */
export function reopenPathOf({ form, input }: Pick<QueuedCommand, 'form' | 'input'>): string | undefined {
  if (form !== null && isCheckDraft(form.value)) return form.path;
  const found = draftOfVisit(input);
  return found && checkFormPath(found.kind, found.buildingId);
}

/** Returns the stored draft of a queued check, or one rebuilt from its record. */
function draftIn({ form, input }: Pick<QueuedCommand, 'form' | 'input'>): CheckDraft | undefined {
  return isCheckDraft(form?.value) ? form.value : draftOfVisit(input)?.draft;
}

/**
 * Creates the drafts for correcting a refused check: one for the form, and one for the photos of each row. The visit id
 * and the times stay the same, so that the server refuses a second copy of the visit; only the operation id is new.
 */
export function stageCheckDraft(
  item: QueuedCommand,
  files: ReadonlyMap<string, Blob>,
): ReadonlyMap<string, unknown> {
  const was = draftIn(item);
  if (was === undefined) throw new Error('a record without a form was opened in one');
  // The cast is safe: the input was stored by `useRecord` of this version or an older one.
  const visit = item.input as VisitInput;
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
