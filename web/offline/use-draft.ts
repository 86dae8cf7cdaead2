import { useCallback, useSyncExternalStore } from 'react';
import type { DraftState } from './drafts.ts';
import { useOffline } from './offline-context.tsx';

export type UseDraft = {
  /** Removes the draft. Not needed after `enqueue` with its key. */
  clear: () => Promise<void>;
  /** The time of the last write, ISO. If it is more than a day ago, ask when the readings were taken. */
  savedAt: string | null;
  /** `loading` until this device has been read: show no inputs before that. */
  state: DraftState;
};

/**
 * The contents of a form, stored on this device at every keystroke, for this person alone.
 * @param key names the form and its subject
 * @param empty the value of an untouched form; the same object at every render
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
  // The cast: the value under a form's key was written by the same form; a form that changes its shape changes its key.
  const value = draft.value === undefined ? empty : (draft.value as T);
  return [value, set, { clear, savedAt: draft.savedAt, state: draft.state }];
}
