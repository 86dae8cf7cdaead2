import { formatDateTime } from '#shared/dates.ts';
import { offlineMessages } from '#shared/offline-messages.ts';

/** How old what is shown is, while this device's copy stands in for the server's answer. */
export function CopyAge({ keptAt, note }: { keptAt: string | undefined; note?: string | undefined }) {
  if (keptAt === undefined) return null;
  return (
    <p role="status" className="text-ink-2 text-sm">
      {[offlineMessages.copyFrom(formatDateTime(keptAt)), note].filter(Boolean).join('. ')}
    </p>
  );
}
