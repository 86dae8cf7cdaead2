import { CircleAlert } from 'lucide-react';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import type { QueuedCommand } from '../../../offline/types.ts';
import { saveFailureOf } from './save-failure.ts';

/** Notice above a refused record under correction: why the server refused it. */
export function EditNotice({ kind, item }: { kind: LogKind; item: QueuedCommand }) {
  return (
    <section
      role="alert"
      className="mt-2.5 flex items-start gap-2.5 rounded-panel bg-bad-soft p-3.5 text-bad"
    >
      <CircleAlert size={18} className="mt-0.5 shrink-0" aria-hidden />
      <div className="grid min-w-0 gap-1">
        <p className="font-medium [overflow-wrap:anywhere]">{saveFailureOf(kind, item.lastError)}</p>
        <p className="text-sm">{offlineMessages.editing}</p>
      </div>
    </section>
  );
}
