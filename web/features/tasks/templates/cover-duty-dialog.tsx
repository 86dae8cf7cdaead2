import { useState } from 'react';
import type { TaskTemplate } from '#shared/features/tasks/task-templates.ts';
import { templateMessages } from '#shared/features/tasks/task-templates-messages.ts';
import { taskName } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { tell } from '../../../forms/toasts.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../../live/hooks/use-live-mutation.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.tsx';
import { toastSuccess } from '../../../ui/feedback/toast.ts';
import { Picker } from '../../../ui/fields/picker.tsx';
import { taskList } from '../tasks.live.ts';

type Props = { buildingId: string; template: TaskTemplate; onClose: () => void };

/** Asks which task of a building covers a duty, although the task's wording differs from the template's. */
export default function CoverDutyDialog({ buildingId, template, onClose }: Props) {
  const { data, status, error, refetch } = useLiveQuery(taskList, { buildingId, retired: false });
  const { mutate, isPending } = useLiveMutation();
  const [taskId, setTaskId] = useState<string>();
  const [missing, setMissing] = useState(false);
  const free = data?.tasks.filter(({ templateId }) => templateId === null) ?? [];

  async function save() {
    const task = free.find(({ id }) => id === taskId);
    setMissing(task === undefined);
    if (task === undefined) return;
    const answer = await tell(
      mutate({
        input: { id: task.id, templateId: template.id },
        send: (whole, context) => api.tasks.coverDuty.mutate(whole, context),
      }),
      { failure: templateMessages.coverFailed },
    );
    if (answer === undefined) return;
    toastSuccess(templateMessages.coverSaved(`${task.taskNumber} ${taskName(task)}`));
    onClose();
  }

  return (
    <Dialog open onClose={onClose} title={templateMessages.coverTitle} subtitle={taskName(template)}>
      {status === 'ready' && free.length === 0 ? (
        <p>{templateMessages.coverNothing}</p>
      ) : (
        <>
          <Picker
            block
            label={templateMessages.coverTask}
            options={free.map((task) => ({ id: task.id, label: taskName(task), detail: task.taskNumber }))}
            value={taskId}
            onChange={(id) => {
              setTaskId(id);
              setMissing(false);
            }}
            placeholder={templateMessages.coverChoose}
            searchLabel={templateMessages.coverSearch}
            nothingFound={templateMessages.coverNone}
            status={status}
            errorText={status === 'error' ? messageFor(error, taskMessages.fetchFailedText) : undefined}
            onRetry={refetch}
            invalid={missing}
            describedBy="cover-error"
          />
          {missing && (
            <p id="cover-error" role="alert" className="mt-1.5 text-bad text-sm">
              {taskMessages.coveringRequired}
            </p>
          )}
          <p className="mt-3 text-ink-2">{templateMessages.coverText}</p>
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          disabled={isPending || (status === 'ready' && free.length === 0)}
          onClick={() => void save()}
        >
          Save
        </Button>
      </DialogActions>
    </Dialog>
  );
}
