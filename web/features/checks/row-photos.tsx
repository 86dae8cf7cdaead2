import { createContext, useContext } from 'react';
import { partKeyOf } from '../../offline/draft-keys.ts';
import type { Drafts } from '../../offline/drafts.ts';
import type { NewAttachment } from '../../offline/types.ts';
import { useDraft } from '../../offline/use-draft.ts';
import { PhotoField } from '../photos/photo-field.tsx';
import type { TakenPhoto } from '../photos/taken-photo.ts';
import type { CheckDraft, EntryDraft } from './check-draft.ts';

/** Apart from the form's draft, which is written at every key press: a photo weighs as much as a thousand of those. */
export type PhotosDraft = { entryId: EntryDraft[string]; photos: readonly TakenPhoto[] };

const NONE: PhotosDraft = { entryId: undefined, photos: [] };

/** Under which name the form is kept; its photos are kept beside it. */
export const DraftKeyContext = createContext('');

type Props = {
  row: string;
  /** What it is called, for people who do not see where the buttons stand. */
  name: string;
  entry: EntryDraft;
};

/** Photos of one row, as soon as something is entered there. They are kept on this phone until they are sent. */
export function RowPhotos({ row, name, entry }: Props) {
  const draftKey = useContext(DraftKeyContext);
  const [kept, set] = useDraft<PhotosDraft>(partKeyOf(draftKey, row), NONE);
  const entryId = entry['id'];
  if (entryId === undefined) return null;
  // What was entered in this row may have been taken back since, and begun anew.
  const photos = kept.entryId === entryId ? kept.photos : NONE.photos;
  return (
    <div className={photos.length === 0 ? '-mb-2 -ml-2' : 'mt-2.5 w-full'}>
      <PhotoField quiet of={name} photos={photos} onChange={(photos) => set({ entryId, photos })} />
    </div>
  );
}

/** The photos of a form that is handed in: which entry each belongs to, and their bytes. */
export function photosOfDraft(drafts: Drafts, draftKey: string, draft: CheckDraft) {
  const ids = new Map<unknown, string[]>();
  const attachments: NewAttachment[] = [];
  for (const [row, { id }] of Object.entries(draft.entries)) {
    // Put there under the same name, above.
    const kept = drafts.get(partKeyOf(draftKey, row)).value as PhotosDraft | undefined;
    if (kept === undefined || kept.entryId !== id) continue;
    ids.set(
      id,
      kept.photos.map((photo) => photo.id),
    );
    attachments.push(...kept.photos.map(({ id, blob, sha256, about }) => ({ id, blob, sha256, about })));
  }
  return {
    attachments,
    idsOf: (entryId: unknown) => ids.get(entryId) ?? [],
  };
}
