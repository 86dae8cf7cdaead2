import type { DraftState } from '../../offline/drafts.ts';
import { useOffline } from '../../offline/offline-context.tsx';
import { useDraft } from '../../offline/use-draft.ts';
import type { TakenPhoto } from './taken-photo.ts';

const NONE: readonly TakenPhoto[] = [];

/** The photos of a form, or of one of its rows. */
export type FormPhotos = {
  photos: readonly TakenPhoto[];
  state: DraftState;
  remove: (id: string) => void;
  /** Called before one is made smaller: where it goes then, which is nowhere once its form is gone. */
  begin: () => { count: () => number; add: (photo: TakenPhoto) => void };
};

/** Photos that are kept on this device under a name until their form is handed in or thrown away. */
export function useFormPhotos(key: string): FormPhotos {
  const { drafts } = useOffline();
  const [kept, set, { state }] = useDraft<unknown>(key, NONE);
  const now = () => photosIn(drafts.get(key).value);

  function begin() {
    // What is kept has an id of its own. Under the same name the next form keeps something else.
    if (drafts.entryIdOf(key) === undefined) set(NONE);
    const id = drafts.entryIdOf(key);
    return {
      count: () => now().length,
      add(photo: TakenPhoto) {
        if (drafts.entryIdOf(key) === id) set([...now(), photo]);
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

/** What is kept under such a name. An older version noted beside the photos of a row which entry they were of. */
export function photosIn(kept: unknown): readonly TakenPhoto[] {
  const photos: unknown = Array.isArray(kept) ? kept : Reflect.get(Object(kept), 'photos');
  // Put there by a form, above.
  return Array.isArray(photos) ? (photos as TakenPhoto[]) : NONE;
}
