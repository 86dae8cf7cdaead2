import { createContext, useContext } from 'react';
import { partKeyOf } from '../../../offline/draft-keys.ts';
import type { Drafts } from '../../../offline/drafts.ts';
import type { NewAttachment } from '../../../offline/types.ts';
import { PhotoField } from '../../photos/photo-field.tsx';
import { photosIn, useFormPhotos } from '../../photos/use-form-photos.ts';
import type { CheckDraft, EntryDraft } from './check-draft.ts';

/** Under which name the form is kept; its photos are kept beside it. */
export const DraftKeyContext = createContext('');

type Props = {
  row: string;
  /** What it is called, for people who do not see where the buttons stand. */
  name: string;
  entry: EntryDraft;
};

/**
 * Photos of one row, as soon as something is entered there. They are kept on this phone until they are sent, apart from
 * the form's draft, which is written at every key press: a photo weighs as much as a thousand of those.
 */
export function RowPhotos({ row, name, entry }: Props) {
  const draftKey = useContext(DraftKeyContext);
  const taken = useFormPhotos(partKeyOf(draftKey, row));
  // They are the row's, not the entry's: what is taken back by a slip of the thumb and entered again still has them.
  if (entry['id'] === undefined) return null;
  return (
    <div className={taken.photos.length === 0 ? '-mb-2 -ml-2' : 'mt-2.5 w-full'}>
      <PhotoField quiet of={name} taken={taken} />
    </div>
  );
}

/** The photos of a form that is handed in with these lines: which of them each belongs to, and their bytes. */
export function draftPhotos(
  drafts: Drafts,
  draftKey: string,
  draft: CheckDraft,
  lines: readonly { id: string }[],
) {
  const handedIn = new Set<unknown>(lines.map(({ id }) => id));
  const ids = new Map<unknown, string[]>();
  const attachments: NewAttachment[] = [];
  for (const [row, { id }] of Object.entries(draft.entries)) {
    // The server takes no photo of what is not in the record.
    if (!handedIn.has(id)) continue;
    const photos = photosIn(drafts.get(partKeyOf(draftKey, row)).value);
    ids.set(
      id,
      photos.map((photo) => photo.id),
    );
    attachments.push(...photos.map(({ id, blob, sha256, about }) => ({ id, blob, sha256, about })));
  }
  return {
    attachments,
    idsOf: (entryId: unknown) => ids.get(entryId) ?? [],
  };
}
