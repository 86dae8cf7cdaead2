import { useSyncExternalStore } from 'react';
import type { PresenceKind } from '#shared/features/presence/presence.vocabulary.ts';
import { useLive } from '../live-context.tsx';
import type { Present } from '../presence.ts';

/** The other people who are at a subject. */
export function usePresence(kind: PresenceKind, id: string): readonly Present[] {
  const { presence } = useLive();
  const read = () => presence.of(kind, id);
  return useSyncExternalStore(presence.subscribe, read, read);
}
