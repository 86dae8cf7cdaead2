import { useState } from 'react';
import { z } from 'zod';
import { ISSUE_PRIORITIES } from '#shared/features/issues/issues.vocabulary.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { editKeyOf, partKeyOf } from '../../../offline/draft-keys.ts';
import { useOffline } from '../../../offline/offline-context.tsx';
import type { QueuedCommand } from '../../../offline/types.ts';
import { usePhotosInProgress } from '../../photos/photos-in-progress.ts';
import { filesOf } from '../../photos/taken-photo.ts';
import { useFormPhotos } from '../../photos/use-form-photos.ts';
import { useMe } from '../../session/session-context.ts';
import { draftKeyOf, photosKeyOf } from './report-draft.ts';

/** The fields as typed so far; not necessarily valid yet. */
const draftSchema = z.object({
  title: z.string(),
  description: z.string(),
  priority: z.enum(ISSUE_PRIORITIES),
});
export type ReportFields = z.infer<typeof draftSchema>;
const EMPTY: ReportFields = { title: '', description: '', priority: 'medium' };
const PHOTOS = 'report';

/** Fields and photos of a report, stored on this device from the first keystroke until it is sent or discarded. */
export function useReportDraft(buildingId: string, edits: QueuedCommand | undefined) {
  const me = useMe();
  const { drafts } = useOffline();
  const editKey = edits && editKeyOf(edits.id);
  // Key of the draft that is removed when the report enters the send queue: the photos, or for a refused report its
  // fields and photos.
  const draftKey = editKey ?? photosKeyOf(buildingId);
  const typedKey = draftKeyOf(me.id, buildingId);
  const photosKey = editKey === undefined ? draftKey : partKeyOf(editKey, PHOTOS);
  const taken = useFormPhotos(photosKey);
  const [preparing, prepare] = usePhotosInProgress();
  const [kept] = useState(() =>
    valuesIn(editKey === undefined ? stored(typedKey) : drafts.get(editKey).value),
  );

  function keep(values: ReportFields) {
    if (editKey !== undefined) drafts.set(editKey, { ...values });
    else writeStored('local', typedKey, isTyped(values) ? JSON.stringify(values) : undefined);
  }

  // No photo may be added until the stored photos have loaded, because a new photo would overwrite them.
  const reading = taken.state === 'loading';
  return { kept, keep, taken, preparing: preparing > 0, prepare, reading, draftKey };
}

/** Creates the drafts for correcting a refused report. */
export function stageReportDraft(
  item: QueuedCommand,
  files: ReadonlyMap<string, Blob>,
): ReadonlyMap<string, unknown> {
  const key = editKeyOf(item.id);
  const ids = item.attachments.map(({ id }) => id);
  return new Map<string, unknown>([
    [key, valuesIn(item.input)],
    [partKeyOf(key, PHOTOS), filesOf(item, files, ids)],
  ]);
}

export function isTyped({ title, description }: ReportFields): boolean {
  return title !== '' || description !== '';
}

function stored(key: string): unknown {
  try {
    return JSON.parse(readStored('local', key) ?? '{}');
  } catch {
    return undefined;
  }
}

function valuesIn(draft: unknown): ReportFields {
  const known = draftSchema.partial().safeParse(draft);
  const { title = '', description = '', priority = 'medium' } = known.success ? known.data : EMPTY;
  return { title, description, priority };
}
