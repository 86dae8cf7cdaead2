import { useState } from 'react';
import { formatDay } from '#shared/dates.ts';
import { TASK_CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import { templateOf } from '#shared/features/tasks/task-templates.ts';
import { formatInterval } from '#shared/features/tasks/task-templates.vocabulary.ts';
import { templateMessages } from '#shared/features/tasks/task-templates-messages.ts';
import type { PlannedTask } from '#shared/features/tasks/tasks.ts';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { messages } from '#shared/messages.ts';
import { tell } from '../../../forms/toasts.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../../live/hooks/use-live-mutation.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { toastSuccess } from '../../../ui/feedback/toast.ts';
import { templatePreview } from '../tasks.live.ts';

type Props = {
  building: { id: string; name: string };
  templateIds: readonly string[];
  onClose: () => void;
  onAdded: () => void;
};

/** Preview of the tasks to add, as the server computes them now, with the button that adds them. */
export default function PreviewDialog({ building, templateIds, onClose, onAdded }: Props) {
  // The selection is fixed while the dialog is open; templates that other people add in the meantime are then listed as left out.
  const [input] = useState({ buildingId: building.id, templateIds: [...templateIds] });
  const { data, status, error, refetch } = useLiveQuery(templatePreview, input);
  const { mutate, isPending } = useLiveMutation();
  const planned = data?.planned ?? [];

  async function apply() {
    const ids = planned.map(({ templateId }) => templateId);
    const answer = await tell(
      mutate({
        input: { buildingId: building.id, templateIds: ids },
        send: (whole, context) => api.tasks.applyTemplates.mutate(whole, context),
      }),
      { failure: templateMessages.addFailed },
    );
    if (answer === undefined) return;
    toastSuccess(outcomeOf(answer.added.length, answer.leftOut.length));
    onAdded();
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={templateMessages.previewTitle(building.name)}
      subtitle={planned.length > 0 ? templateMessages.previewText : undefined}
      size="lg"
    >
      {status === 'loading' && <Skeleton className="h-40" />}
      {status === 'error' && (
        <ErrorState
          title={templateMessages.previewFailed}
          text={messageFor(error, messages.common.notReached)}
          error={error}
          onRetry={refetch}
        />
      )}
      {planned.length > 0 && (
        <ol aria-label="To be added" className="divide-y divide-line rounded-card border border-line">
          {planned.map((task) => (
            <PlannedRow key={task.templateId} task={task} />
          ))}
        </ol>
      )}
      {status === 'ready' && planned.length === 0 && <p>{templateMessages.allInUse}</p>}
      {data !== undefined && data.leftOut.length > 0 && planned.length > 0 && (
        <div className="mt-4 text-ink-2">
          <p>{templateMessages.leftOut}</p>
          <ul aria-label="Left out" className="mt-1 list-disc pl-5">
            {data.leftOut.map((id) => (
              <li key={id}>{nameOf(id)}</li>
            ))}
          </ul>
        </div>
      )}
      <DialogActions>
        <Button onClick={onClose}>{planned.length > 0 ? 'Cancel' : 'Close'}</Button>
        {planned.length > 0 && (
          <Button variant="primary" disabled={isPending} onClick={() => void apply()}>
            {templateMessages.add(planned.length)}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

function PlannedRow({ task }: { task: PlannedTask }) {
  const template = templateOf(task.templateId);
  return (
    <li className="grid gap-x-4 gap-y-0.5 px-3.5 py-2.5 sm:grid-cols-[7.5rem_minmax(0,1fr)_auto]">
      <span className="text-ink-2 text-sm tabular-nums">{task.taskNumber}</span>
      <span className="min-w-0">
        <span className="block font-medium text-ink [overflow-wrap:anywhere]">{nameOf(task.templateId)}</span>
        {template !== undefined && (
          <span className="block text-ink-2 text-sm">
            {[
              formatInterval(template),
              ...(template.check === null
                ? []
                : [templateMessages.byCheck(TASK_CHECK_VOCABULARY[template.check].label)]),
              ...(template.isConfirmed ? [] : [templateMessages.advise]),
            ].join(' · ')}
          </span>
        )}
      </span>
      <span className="text-ink sm:text-right">
        {task.isDue ? (
          <span className="block whitespace-nowrap tabular-nums">
            {templateMessages.firstDue(formatDay(task.due))}
          </span>
        ) : (
          <span className="block max-w-56 text-ink-2">{templateMessages.notDueHere}</span>
        )}
        {task.completedOn !== null && (
          <span className="block text-ink-2 text-sm tabular-nums">
            {templateMessages.lastDone(formatDay(task.completedOn))}
          </span>
        )}
      </span>
    </li>
  );
}

function nameOf(templateId: string): string {
  const template = templateOf(templateId);
  return template === undefined ? templateId : taskName(template);
}

function outcomeOf(added: number, leftOut: number): string {
  if (added === 0) return templateMessages.addedByOthers;
  return leftOut === 0 ? templateMessages.added(added) : templateMessages.addedSome(added, leftOut);
}
