import { useCallback } from 'react';
import { formatDay } from '#shared/dates.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { type LogKind, titleOf } from '#shared/features/checks/incidents.words.ts';
import { uuidv7 } from '#shared/ids.ts';
import { api } from '../../lib/trpc.ts';
import { useOffline } from '../../offline/offline-context.tsx';
import { OfflineError } from '../../offline/types.ts';
import { useOutbox } from '../../offline/use-outbox.ts';
import { toast } from '../../ui/toast.ts';
import type { CheckDraft } from './check-draft.ts';
import { PLACE, PLACE_FIELD, SAVE_AS_POINT } from './form-fields.ts';
import { photosOfDraft } from './row-photos.tsx';
import { draftKeyOf } from './use-check-draft.ts';
import type { VisitToKeep } from './validate-visit.ts';

type Recorded = { kind: LogKind; draft: CheckDraft; visit: VisitToKeep; siteName: string };

/** Hands a filled form to the outbox. Resolves when it is on this phone; where that cannot be, says so and rejects. */
export function useRecord(): (recorded: Recorded) => Promise<string> {
  const { enqueue } = useOutbox();
  const { drafts } = useOffline();
  return useCallback(
    async ({ kind, draft, visit, siteName }) => {
      const id = draft.operationId ?? uuidv7();
      const draftKey = draftKeyOf(kind, visit.buildingId);
      const photos = photosOfDraft(drafts, draftKey, draft);
      const entries = visit.entries.map((entry) => ({ ...entry, photoIds: photos.idsOf(entry.id) }));
      try {
        await enqueue({
          id,
          command: 'checks.record',
          // The cast: with the ids of its photos each entry stays what it was.
          input: { ...visit, entries } as VisitToKeep,
          attachments: photos.attachments,
          title: `${titleOf(kind)} · ${siteName} · ${formatDay(visit.visitDate)}`,
          // The draft goes exactly when the entry is there.
          draftKey,
        });
      } catch (error) {
        const full = error instanceof OfflineError && error.code === 'storage_full';
        const title = full ? formMessages.storageFull : formMessages.notKept;
        toast({ title, tone: 'destructive' });
        throw error;
      }
      // Should this be cut off, nothing shows them any more: they know which entry they were of.
      void photos.forget().catch(() => undefined);
      const place = draft.entries[PLACE];
      const name = place?.[PLACE_FIELD];
      if (place?.[SAVE_AS_POINT] === true && typeof name === 'string') void savePoint(visit.buildingId, name);
      return id;
    },
    [enqueue, drafts],
  );
}

/** A convenience beside the record: it is not worth the outbox, and never stands in its way. */
async function savePoint(buildingId: string, name: string): Promise<void> {
  try {
    await api.checks.addTestPoint.mutate({ operationId: uuidv7(), id: uuidv7(), buildingId, name });
    toast({ title: checkMessages.pointAdded });
  } catch {
    toast({ title: checkMessages.pointAddFailed, tone: 'destructive' });
  }
}
