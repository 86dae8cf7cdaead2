import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { createIssueInput } from '#shared/features/issues.ts';
import { ISSUE_PRIORITIES } from '#shared/features/issues.vocabulary.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { editKeyOf, partKeyOf } from '../../offline/draft-keys.ts';
import { useOffline } from '../../offline/offline-context.tsx';
import type { QueuedCommand } from '../../offline/types.ts';
import { usePhotosInProgress } from '../photos/photos-in-progress.ts';
import { filesOf } from '../photos/taken-photo.ts';
import { useFormPhotos } from '../photos/use-form-photos.ts';
import { useMe } from '../session/session-context.ts';
import { draftKeyOf, photosKeyOf } from './report-draft.ts';

const formSchema = createIssueInput.pick({ title: true, description: true, priority: true });
/** The fields as typed so far; not necessarily valid yet. */
const draftSchema = z.object({
  title: z.string(),
  description: z.string(),
  priority: z.enum(ISSUE_PRIORITIES),
});
type ReportInput = z.input<typeof formSchema>;
export type ReportOutput = z.output<typeof formSchema>;
const EMPTY: ReportInput = { title: '', description: '', priority: 'medium' };
const PHOTOS = 'report';

/** Fields and photos of a report, stored on this device from the first keystroke until it is sent or discarded. */
export function useReportForm(buildingId: string, edits: QueuedCommand | undefined) {
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
  const form = useForm<ReportInput, unknown, ReportOutput>({
    resolver: zodResolver(formSchema),
    defaultValues: valuesIn(editKey === undefined ? stored(typedKey) : drafts.get(editKey).value),
  });
  const [typed, setTyped] = useState(() => isTyped(form.getValues()));

  useEffect(() => {
    const watching = form.watch((values) => {
      setTyped(isTyped(values));
      if (editKey !== undefined) drafts.set(editKey, { ...values });
      else writeStored('local', typedKey, isTyped(values) ? JSON.stringify(values) : undefined);
    });
    return () => watching.unsubscribe();
  }, [form, drafts, editKey, typedKey]);

  // Until the stored photos have loaded, none may be added, as that would overwrite them.
  const reading = taken.state === 'loading';
  const touched = typed || taken.photos.length > 0 || preparing > 0;
  return { form, taken, preparing: preparing > 0, prepare, reading, draftKey, touched };
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

function isTyped({ title = '', description = '' }: Partial<ReportInput>): boolean {
  return title !== '' || description !== '';
}

function stored(key: string): unknown {
  try {
    return JSON.parse(readStored('local', key) ?? '{}');
  } catch {
    return undefined;
  }
}

function valuesIn(draft: unknown): ReportInput {
  const known = draftSchema.partial().safeParse(draft);
  const { title = '', description = '', priority = 'medium' } = known.success ? known.data : EMPTY;
  return { title, description, priority };
}
