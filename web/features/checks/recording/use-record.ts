import { useCallback } from 'react';
import { formatDay } from '#shared/dates.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { type LogKind, titleOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { formatNotKept } from '../../../offline/labels.ts';
import { useOffline } from '../../../offline/offline-context.tsx';
import { useSendQueue } from '../../../offline/queue/use-send-queue.ts';
import { OfflineError } from '../../../offline/types.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import type { CheckDraft } from '../kinds/check-draft.ts';
import { draftPhotos } from '../kinds/rows/row-photos.tsx';
import type { VisitInput } from '../kinds/validate-visit.ts';
import { checkFormPath } from './reopen-check.ts';

type Recorded = {
  kind: LogKind;
  draftKey: string;
  draft: CheckDraft;
  visit: VisitInput;
  siteName: string;
  /** Id of the refused record that this one replaces. */
  replaces: string | undefined;
};

/**
 * Adds a submitted form to the send queue. Resolves once it is stored on this device; shows a toast and rejects when it
 * cannot be stored.
 */
export function useRecord(): (recorded: Recorded) => Promise<string> {
  const { enqueue } = useSendQueue();
  const { drafts } = useOffline();
  return useCallback(
    async ({ kind, draftKey, draft, visit, siteName, replaces }) => {
      const id = draft.operationId ?? uuidv7();
      const photos = draftPhotos(drafts, draftKey, draft, visit.entries);
      const entries = visit.entries.map((entry) => ({ ...entry, photoIds: photos.idsOf(entry.id) }));
      try {
        await enqueue({
          id,
          command: 'checks.record',
          // The cast is safe: adding photo ids leaves the type of each entry as it was.
          input: { ...visit, entries } as VisitInput,
          form: { path: checkFormPath(kind, visit.buildingId), value: draft },
          attachments: photos.attachments,
          title: [titleOf(kind), ...placeOf(visit), siteName, formatDay(visit.visitDate)].join(' · '),
          // The draft and the replaced record are removed in the same transaction that stores the new one.
          draftKey,
          replaces,
        });
      } catch (error) {
        toast({ title: notKept(error), tone: 'destructive' });
        throw error;
      }
      return id;
    },
    [enqueue, drafts],
  );
}

/** Returns the test location of a single test, to distinguish several tests of one day in the queue. */
function placeOf({ entries: [only] }: VisitInput): string[] {
  return only !== undefined && 'locationTested' in only ? [only.locationTested] : [];
}

function notKept(error: unknown): string {
  const code = error instanceof OfflineError ? error.code : undefined;
  if (code === 'moved_on') return formatNotKept(error);
  return code === 'storage_full' ? formMessages.storageFull : formMessages.notKept;
}
