import { useCallback } from 'react';
import { readStored, writeStored } from '../../lib/storage.ts';
import { useOfflineIfUsed } from '../../offline/offline-context.tsx';
import { useMe } from '../session/session-context.ts';

/** Where the unsent report of a person at a building is kept on this device. */
export function draftKeyOf(personId: string, buildingId: string): string {
  return `lintel.report.${personId}.${buildingId}`;
}

/** Under which name the photos of an unsent report are kept. A list of another shape takes another number. */
export function photosKeyOf(buildingId: string): string {
  return `report.1:${buildingId}`;
}

/** What was typed and photographed is thrown away; with `sent`, only if that is what is kept. */
export function useForgetReport(): (buildingId: string, sent?: object) => void {
  const { id } = useMe();
  const drafts = useOfflineIfUsed()?.drafts;
  return useCallback(
    (buildingId: string, sent?: object) => {
      if (sent !== undefined && readStored('local', draftKeyOf(id, buildingId)) !== JSON.stringify(sent))
        return;
      writeStored('local', draftKeyOf(id, buildingId), undefined);
      // What cannot be removed now is there when the form is opened again, and can be removed there.
      void drafts?.clear(photosKeyOf(buildingId)).catch(() => undefined);
    },
    [id, drafts],
  );
}
