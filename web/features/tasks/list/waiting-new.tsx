import { CloudUpload } from 'lucide-react';
import { Link } from 'react-router-dom';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { formatState } from '../../../offline/labels.ts';
import { useSendQueue } from '../../../offline/queue/use-send-queue.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { taskFieldsIn } from '../task-draft.ts';
import { isWaiting } from '../waiting-changes.ts';

/**
 * The person's new tasks of a building that wait on this device to be sent. They are above the list, not in it, because
 * only the server's answer contains their number, dates and status.
 */
export function WaitingNewTasks({ buildingId }: { buildingId: string }) {
  const { items } = useSendQueue();
  const waiting = items.flatMap((item) => {
    if (item.command !== 'tasks.create' || !isWaiting(item)) return [];
    const fields = taskFieldsIn(item.input);
    return fields.buildingId === buildingId ? [{ item, fields }] : [];
  });
  if (waiting.length === 0) return null;
  return (
    <section
      aria-label={taskMessages.waitingNew(waiting.length)}
      className="mb-4 rounded-card border border-line border-dashed bg-surface px-3.5 py-2.5"
    >
      <p className="flex flex-wrap items-center gap-x-2 text-ink-2 text-sm">
        <CloudUpload size={15} aria-hidden />
        <Link to="/sync" className="font-medium text-ink underline">
          {taskMessages.waitingNew(waiting.length)}
        </Link>
        {taskMessages.waitingNewText}
      </p>
      <ul className="mt-1.5 grid gap-1">
        {waiting.map(({ item, fields }) => (
          <li key={item.id} className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <span className="line-clamp-2 min-w-0 font-medium text-ink [overflow-wrap:anywhere]">
              {taskName(fields)}
            </span>
            <Badge tone="info">{formatState(item)}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}
