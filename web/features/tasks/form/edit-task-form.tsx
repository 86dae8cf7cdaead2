import type { ReactNode } from 'react';
import { formatDay } from '#shared/dates.ts';
import { TASK_CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import { recurrenceFrom } from '#shared/features/tasks/task-frequency.ts';
import { type Task, updateTaskInput } from '#shared/features/tasks/tasks.ts';
import { formatRecurrence } from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import type { FieldEdits } from '#shared/merge-fields.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { conflictHint } from '../../../forms/conflict-hint.tsx';
import { fieldsOf } from '../../../forms/field-edits.ts';
import { formColumn, formColumns, StickyFoot } from '../../../forms/long-form.tsx';
import { reasonForFailure, toastFailure } from '../../../forms/toasts.ts';
import { useRowForm } from '../../../forms/use-row-form.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { wireErrorOf } from '../../../lib/trpc/wire-error.ts';
import { useLeaveGuard } from '../../../lib/use-leave-guard.ts';
import { formatError } from '../../../offline/labels.ts';
import { useOffline } from '../../../offline/offline-context.tsx';
import { NotKeptError } from '../../../offline/queue/not-kept-error.ts';
import type { QueuedCommand } from '../../../offline/types.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { LeaveQuestion } from '../../../ui/dialogs/leave-question.tsx';
import { toastError } from '../../../ui/feedback/toast.ts';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { CompletionPhotos } from '../../photos/completion-photos.tsx';
import { recordCheckPath } from '../task-paths.ts';
import { FrequencyField } from './frequency-field.tsx';
import { ResponsibleFields } from './responsible-fields.tsx';
import { SystemField } from './system-field.tsx';
import { useSaveTask } from './use-save-task.ts';

const schema = updateTaskInput.omit({ operationId: true });

type Props = {
  /** The task as it is now; changes by other people appear in the fields that the person has not edited. */
  task: Task;
  /** Key of the draft with the unsaved changes. */
  draftKey: string;
  /** The refused changes being corrected. */
  edits?: QueuedCommand | undefined;
  onDone: () => void;
};

/** The form of a saved task. Only changed fields are sent, each with the value that the person saw. */
export function EditTaskForm({ task: cached, draftKey, edits, onDone }: Props) {
  const { drafts } = useOffline();
  const { update } = useSaveTask();
  const { can } = usePermissions();
  const form = useRowForm({
    row: cached,
    schema,
    input: (changes) => ({ id: cached.id, changes }),
    send: (input, row) => update(row, input.changes, { draftKey, replaces: edits?.id }),
    failure: sayUpdateFailure,
    onUnchanged: onDone,
    onSent: onDone,
    // The cast is safe: the draft was written by this form, or contains the changes of a command that the form queued.
    edits: drafts.get(draftKey).value as FieldEdits<Task> | undefined,
    onEdit: keep,
  });
  const { row: task, values, errors, busy } = form;
  const held = useLeaveGuard(() => form.dirty && !form.busy && edits === undefined);
  const isRetired = task.retiredAt !== null;
  const disabled = busy || isRetired;

  function keep(now: FieldEdits<Task>): void {
    if (fieldsOf(now).length > 0) drafts.set(draftKey, now);
    else void drafts.clear(draftKey).catch(() => undefined);
  }

  // Discarded changes are deleted before the page closes, so that they do not appear again at the next visit.
  async function leave(): Promise<void> {
    await drafts.clear(draftKey).catch(() => undefined);
    held?.leave();
  }

  return (
    <>
      <CommandForm form={form} className="grid gap-4">
        {edits !== undefined && (
          <div role="alert" className="grid gap-1 rounded-panel bg-bad-soft px-3.5 py-3 text-bad">
            <p className="font-medium">{edits.lastError !== null && formatError(edits.lastError)}</p>
            <p className="text-sm">{offlineMessages.editing}</p>
          </div>
        )}
        {isRetired && (
          <p role="status" className="rounded-panel bg-due-soft px-3.5 py-3 font-medium text-due">
            {taskMessages.retired}
          </p>
        )}
        <div className={formColumns}>
          <div className={formColumn}>
            <dl className="grid items-start gap-4 sm:grid-cols-2">
              <Fixed name="Task Number">
                <span className="tabular-nums">{task.taskNumber}</span>
              </Fixed>
              <Fixed name="Location" hint={taskMessages.locationFixed}>
                {task.buildingName}
              </Fixed>
            </dl>
            <SystemField
              buildingId={task.buildingId}
              disabled={disabled}
              {...form.text('complianceSystem')}
              hint={conflictHint(form, 'complianceSystem')}
            />
            <TextArea
              label="Task Description"
              rows={3}
              disabled={disabled}
              {...form.text('taskDescription')}
              hint={conflictHint(form, 'taskDescription')}
            />
          </div>
          <div className={formColumn}>
            <FrequencyField
              value={values.frequency}
              error={errors['frequency']}
              hint={
                task.check === null
                  ? conflictHint(form, 'frequency', (frequency) => inWords({ ...task, frequency }))
                  : taskMessages.frequencyOfCheck
              }
              disabled={disabled || task.check !== null}
              onChange={(text) => form.set('frequency', text)}
            />
            {task.check !== null && (
              <p className="flex flex-wrap items-center justify-between gap-3 rounded-panel bg-mute px-3.5 py-3 text-ink-2">
                <span>{`Completed by the safety check: ${TASK_CHECK_VOCABULARY[task.check].label}`}</span>
                {can('create_operative_tasks') && (
                  <ButtonLink size="sm" to={recordCheckPath(task.check, task.buildingId)}>
                    Record check
                  </ButtonLink>
                )}
              </p>
            )}
            <ResponsibleFields
              buildingId={task.buildingId}
              text={form.text('responsiblePerson')}
              textHint={conflictHint(form, 'responsiblePerson')}
              person={values.responsibleId}
              personError={errors['responsibleId']}
              personHint={conflictHint(form, 'responsibleId', () => 'Another colleague')}
              disabled={disabled}
              onPerson={(person, name) => {
                form.set('responsibleId', person);
                if (values.responsiblePerson === '') form.set('responsiblePerson', name);
              }}
            />
          </div>
        </div>
        <StickyFoot>
          <Button type="submit" variant="primary" disabled={disabled}>
            {busy ? 'Saving...' : 'Save Task'}
          </Button>
          <ButtonLink to="/dashboard">Cancel</ButtonLink>
        </StickyFoot>
      </CommandForm>
      {task.completionId !== null && task.completedOn !== null && task.check === null && (
        <section className="mt-11 grid gap-3 border-line border-t pt-5">
          <h2 className="font-semibold text-ink text-md">{`Completed on ${formatDay(task.completedOn)}`}</h2>
          <CompletionPhotos completionId={task.completionId} name={task.taskNumber} />
        </section>
      )}
      {held !== undefined && (
        <LeaveQuestion
          title={taskMessages.leaveTitle}
          text={taskMessages.leaveText}
          onStay={held.stay}
          onLeave={() => void leave()}
        />
      )}
    </>
  );
}

/** An unchangeable value, shown as text rather than as a field, which would look editable. */
function Fixed({ name, hint, children }: { name: string; hint?: string; children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <dt className="font-medium text-ink text-sm pointer-coarse:text-base">{name}</dt>
      <dd className="grid gap-0.5 text-base text-ink [overflow-wrap:anywhere] pointer-coarse:text-md">
        {children}
        {hint !== undefined && <span className="text-ink-2 text-sm">{hint}</span>}
      </dd>
    </div>
  );
}

function inWords(task: Pick<Task, 'frequency' | 'early' | 'grace'>): string {
  return formatRecurrence(recurrenceFrom(task));
}

/** Shows 'Update failed' for a refusal by the server, and an error message for any other failure (ruling T34). */
function sayUpdateFailure(error: unknown): void {
  if (error instanceof NotKeptError) {
    toastError(error.message);
    return;
  }
  const code = wireErrorOf(error)?.code;
  if (code === undefined || code === 'internal') toastFailure(error, taskMessages.updateFailedText);
  else {
    const text = `${taskMessages.updateFailedText} ${reasonForFailure(error)}`;
    toastError(text.trim(), taskMessages.updateFailed);
  }
}
