import { useCallback, useSyncExternalStore } from 'react';
import type { DraftState } from './drafts.ts';
import { useOffline } from './offline-context.tsx';

export type UseDraft = {
  /** Throws the draft away. After `enqueue` with its key there is nothing left to throw away. */
  clear: () => Promise<void>;
  /** When it was last written to this device, ISO. Older than a day: ask when the readings were taken. */
  savedAt: string | null;
  /** `loading` until this device has been read: show nothing to type into before that. */
  state: DraftState;
};

/**
 * What a person types into a form, kept on this device at every keystroke, for them alone.
 * @param key names the form and what it is about
 * @param empty what an untouched form holds; keep it the same object
 */
export function useDraft<T>(key: string, empty: T): [value: T, set: (value: T) => void, more: UseDraft] {
  const { drafts } = useOffline();
  const draft = useSyncExternalStore(
    drafts.subscribe,
    () => drafts.get(key),
    () => drafts.get(key),
  );
  const set = useCallback((value: T) => drafts.set(key, value), [drafts, key]);
  const clear = useCallback(() => drafts.clear(key), [drafts, key]);
  // What lies under a form's key was put there by the same form; a form that changes its shape takes another key.
  const value = draft.value === undefined ? empty : (draft.value as T);
  return [value, set, { clear, savedAt: draft.savedAt, state: draft.state }];
}
