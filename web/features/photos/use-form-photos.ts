import type { DraftState } from '../../offline/drafts.ts';
import { useOffline } from '../../offline/offline-context.tsx';
import { useDraft } from '../../offline/use-draft.ts';
import type { TakenPhoto } from './taken-photo.ts';

const NONE: readonly TakenPhoto[] = [];

/** Photos of a form, or of one of its rows. */
export type FormPhotos = {
  photos: readonly TakenPhoto[];
  state: DraftState;
  remove: (id: string) => void;
  /**
   * Call before scaling a photo down. The returned `add` does nothing when the form's draft has been removed in the meantime.
   */
  begin: () => { count: () => number; add: (photo: TakenPhoto) => void };
};

/** Photos stored on this device under a key until their form is submitted or discarded. */
export function useFormPhotos(key: string): FormPhotos {
  const { drafts } = useOffline();
  const [kept, set, { state }] = useDraft<unknown>(key, NONE);
  const now = () => photosIn(drafts.get(key).value);

  function begin() {
    // Each stored draft has an id; a later draft under the same key has a different id.
    if (drafts.commandIdOf(key) === undefined) set(NONE);
    const id = drafts.commandIdOf(key);
    return {
      count: () => now().length,
      add(photo: TakenPhoto) {
        if (drafts.commandIdOf(key) === id) set([...now(), photo]);
      },
    };
  }

  return {
    photos: photosIn(kept),
    state,
    remove: (id) => set(now().filter((photo) => photo.id !== id)),
    begin,
  };
}

/**
 * Returns the photos in a stored value. Older versions stored an object with the entry's id beside the photos of a row.
 */
export function photosIn(kept: unknown): readonly TakenPhoto[] {
  const photos: unknown = Array.isArray(kept) ? kept : Reflect.get(Object(kept), 'photos');
  // The cast is safe: `useFormPhotos` stored the value.
  return Array.isArray(photos) ? (photos as TakenPhoto[]) : NONE;
}
