import { formatDateTime } from '#shared/dates.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';

/** The age of this device's copy, while the copy is shown instead of the server's answer. */
export function CopyAge({ keptAt, note }: { keptAt: string | undefined; note?: string | undefined }) {
  if (keptAt === undefined) return null;
  return (
    <p role="status" className="text-ink-2 text-sm">
      {[offlineMessages.copyFrom(formatDateTime(keptAt)), note].filter(Boolean).join('. ')}
    </p>
  );
}
