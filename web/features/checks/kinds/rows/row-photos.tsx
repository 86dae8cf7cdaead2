import { createContext, useContext } from 'react';
import { partKeyOf } from '../../../../offline/draft-keys.ts';
import type { Drafts } from '../../../../offline/drafts.ts';
import type { NewAttachment } from '../../../../offline/types.ts';
import { PhotoField } from '../../../photos/photo-field.tsx';
import { photosIn, useFormPhotos } from '../../../photos/use-form-photos.ts';
import type { CheckDraft } from '../check-draft.ts';
import type { EntryDraft } from '../entry-draft.ts';

/** Draft key of the form; photos are stored under keys derived from it. */
export const DraftKeyContext = createContext('');

type Props = {
  row: string;
  /** Name of the row for screen readers. */
  name: string;
  entry: EntryDraft;
};

/**
 * Photos of one row, available once the row has an entry. They are stored beside the form's draft rather than in it:
 * the draft is written at every keystroke, and a photo is a thousand times the size of a draft.
 */
export function RowPhotos({ row, name, entry }: Props) {
  const draftKey = useContext(DraftKeyContext);
  const taken = useFormPhotos(partKeyOf(draftKey, row));
  // Photos belong to the row: an entry that is cleared by mistake and made again gets them back.
  if (entry['id'] === undefined) return null;
  return (
    <div className={taken.photos.length === 0 ? '-mb-2 -ml-2' : 'mt-2.5 w-full'}>
      <PhotoField quiet of={name} taken={taken} />
    </div>
  );
}

/** Collects the photos of the entries that are submitted: their attachments, and the photo ids of each entry. */
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
    // The server refuses photos of entries that are not in the record.
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
