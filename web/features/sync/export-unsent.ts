import { offlineMessages } from '#shared/offline/offline-messages.ts';
import type { QueueStore } from '../../offline/queue/queue-store.ts';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { saveUnsent } from './save-unsent.ts';

/** Saves a person's unsent records to a file, and shows a toast with the outcome. */
export async function exportUnsent(
  items: QueueStore,
  person: Parameters<typeof saveUnsent>[1],
): Promise<void> {
  try {
    const count = await saveUnsent(items, person);
    toast({ title: offlineMessages.exported(count), text: offlineMessages.exportHint });
  } catch {
    toastError(offlineMessages.exportFailed);
  }
}
