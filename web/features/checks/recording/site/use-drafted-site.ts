import { useCallback, useSyncExternalStore } from 'react';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { useOffline } from '../../../../offline/offline-context.tsx';
import { isCheckDraft, isTouched } from '../../kinds/check-draft.ts';
import { draftKeyOf } from '../use-check-draft.ts';

/** Returns the site, among the given ones, whose draft of this kind was changed last; undefined without a draft. */
export function useDraftedSite(kind: LogKind, sites: readonly { id: string }[]): string | undefined {
  const { drafts } = useOffline();
  const search = useCallback(() => {
    let latest: { id: string; at: string } | undefined;
    for (const { id } of sites) {
      const { value } = drafts.get(draftKeyOf(kind, id));
      if (!isCheckDraft(value) || !isTouched(value)) continue;
      const at = value.touchedAt ?? '';
      if (latest === undefined || at > latest.at) latest = { id, at };
    }
    return latest?.id;
  }, [drafts, kind, sites]);
  return useSyncExternalStore(drafts.subscribe, search, search);
}
