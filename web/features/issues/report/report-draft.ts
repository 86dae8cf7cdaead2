import { useCallback } from 'react';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { useOfflineIfUsed } from '../../../offline/offline-context.tsx';
import { useMe } from '../../session/session-context.ts';

/** Returns the local storage key of a person's unsent report at a building. */
export function draftKeyOf(personId: string, buildingId: string): string {
  return `lintel.report.${personId}.${buildingId}`;
}

/** Returns the draft key of an unsent report's photos. The number changes with the shape of the list. */
export function photosKeyOf(buildingId: string): string {
  return `report.1:${buildingId}`;
}

/**
 * Returns a function that discards the draft of a report and its photos; with `sent`, only if the stored draft equals
 * `sent`.
 */
export function useForgetReport(): (buildingId: string, sent?: object) => void {
  const { id } = useMe();
  const drafts = useOfflineIfUsed()?.drafts;
  return useCallback(
    (buildingId: string, sent?: object) => {
      if (sent !== undefined && readStored('local', draftKeyOf(id, buildingId)) !== JSON.stringify(sent))
        return;
      writeStored('local', draftKeyOf(id, buildingId), undefined);
      // Photos that cannot be removed now appear again when the form is opened, and can be removed there.
      void drafts?.clear(photosKeyOf(buildingId)).catch(() => undefined);
    },
    [id, drafts],
  );
}
