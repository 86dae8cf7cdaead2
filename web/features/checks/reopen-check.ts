import { uuidv7 } from '#shared/ids.ts';
import { editKeyOf, partKeyOf } from '../../offline/draft-keys.ts';
import type { OutboxItem } from '../../offline/types.ts';
import { filesOf } from '../photos/taken-photo.ts';
import type { CheckDraft } from './check-draft.ts';
import type { PhotosDraft } from './row-photos.tsx';
import type { VisitToKeep } from './validate-visit.ts';

/**
 * The drafts in which a refused check is put right. It stays the same visit, so that the server would refuse a second
 * copy, and of the same time; only the operation is a new one.
 */
export function layCheck(item: OutboxItem, files: ReadonlyMap<string, Blob>): ReadonlyMap<string, unknown> {
  // Put there by `useRecord`, both.
  const was = item.form?.value as CheckDraft;
  const visit = item.input as VisitToKeep;
  const { visitId, visitDate, performedAt, durationSeconds, operativeName } = visit;
  const draft: CheckDraft = {
    ...was,
    operationId: uuidv7(),
    visitId,
    visitDate,
    first: { performedAt, durationSeconds, operativeName },
  };
  const key = editKeyOf(item.id);
  const drafts = new Map<string, unknown>([[key, draft]]);
  const photosOf = new Map(visit.entries.map(({ id, photoIds }) => [id, photoIds ?? []]));
  for (const [row, { id }] of Object.entries(was.entries)) {
    const photos = filesOf(item, files, typeof id === 'string' ? (photosOf.get(id) ?? []) : []);
    if (photos.length > 0) drafts.set(partKeyOf(key, row), { entryId: id, photos } satisfies PhotosDraft);
  }
  return drafts;
}
