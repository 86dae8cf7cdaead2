import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addDays, addMonths, formatTime } from '#shared/dates.ts';
import {
  frequencyOfCheck,
  TASK_CHECK_VOCABULARY,
  TASK_CHECKS,
} from '#shared/features/checks/kinds.vocabulary.ts';
import type { BuildingOption } from '#shared/features/locations/locations.ts';
import { certificateFault } from '#shared/features/tasks/certificate-fault.ts';
import { isCompletionDay } from '#shared/features/tasks/task-schedule.ts';
import { createTaskInput } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { formColumn, formColumns, StickyFoot } from '../../../forms/long-form.tsx';
import { toastFailure } from '../../../forms/toasts.ts';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { presentDay } from '../../../lib/time/present-time.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { useLeaveGuard } from '../../../lib/use-leave-guard.ts';
import { editKeyOf } from '../../../offline/draft-keys.ts';
import { formatError } from '../../../offline/labels.ts';
import { useOffline } from '../../../offline/offline-context.tsx';
import { NotKeptError } from '../../../offline/queue/not-kept-error.ts';
import type { QueuedCommand } from '../../../offline/types.ts';
import { useDraft } from '../../../offline/use-draft.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { LeaveQuestion } from '../../../ui/dialogs/leave-question.tsx';
import { toastError } from '../../../ui/feedback/toast.ts';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { LocationPicker } from '../../locations/pickers/location-picker.tsx';
import { PickerField } from '../../locations/pickers/picker-field.tsx';
import { isDueByCertificate } from '../completion/goes-by-certificate.ts';
import { isTyped, NEW_TASK_DRAFT, type TaskFields, taskFieldsIn } from '../task-draft.ts';
import { FrequencyField } from './frequency-field.tsx';
import { ResponsibleFields } from './responsible-fields.tsx';
import { SystemField } from './system-field.tsx';
import { useSaveTask } from './use-save-task.ts';

/** Checks the dates at once, and without a connection; the server checks them again by its own day. */
const schema = createTaskInput.omit({ operationId: true }).superRefine(({ lastDone, stated }, check) => {
  const today = presentDay();
  if (lastDone === null) return;
  const fault = stated === null ? undefined : certificateFault(stated, { day: lastDone, today });
  if (fault !== undefined) check.addIssue({ code: 'custom', path: ['stated'], message: fault });
  if (isCompletionDay(lastDone, today)) return;
  const message = lastDone > today ? taskMessages.completionFuture : taskMessages.completionTooOld;
  check.addIssue({ code: 'custom', path: ['lastDone'], message });
});

type Props = {
  buildings: readonly BuildingOption[];
  /** The location named in the URL. */
  buildingId: string | null;
  /** The refused new task being corrected; its draft is stored already. */
  edits?: QueuedCommand | undefined;
  onDone: () => void;
  /** Called to empty the form. */
  onStartAgain?: (() => void) | undefined;
};

/** The form of a new compliance task. The entered values are stored on this device until they are sent. */
export function AddTaskForm({ buildings, buildingId, edits, onDone, onStartAgain }: Props) {
  const draftKey = edits === undefined ? NEW_TASK_DRAFT : editKeyOf(edits.id);
  const { drafts } = useOffline();
  const [, , { state }] = useDraft<unknown>(draftKey, undefined);
  const { add } = useSaveTask();
  const [restored] = useState(() => {
    const { value, savedAt } = drafts.get(draftKey);
    const typed = taskFieldsIn(value);
    const known = buildings.some(({ id }) => id === (buildingId ?? typed.buildingId));
    return {
      fields: { ...typed, buildingId: known ? (buildingId ?? typed.buildingId) : '' },
      savedAt: isTyped(typed) && edits === undefined ? savedAt : null,
    };
  });
  // The id is the same in every try, so that the server recognises a second copy; a correction keeps the refused task's id.
  const [id] = useState(() => idOf(edits) ?? uuidv7());
  const form = useCommandForm({
    blank: restored.fields,
    schema,
    input: (fields) => inputOf(fields, id),
    send: (input) => add(input, { draftKey, replaces: edits?.id }),
    failure: (error) =>
      error instanceof NotKeptError ? toastError(error.message) : toastFailure(error, taskMessages.addFailed),
    onType: (fields) => {
      if (edits !== undefined || isTyped(fields)) drafts.set(draftKey, { ...fields });
      else void drafts.clear(draftKey).catch(() => undefined);
    },
    onSent: onDone,
  });
  const { values, errors, busy } = form;
  // Leaving loses something only if this device could not store the draft.
  const held = useLeaveGuard(() => state === 'failed' && isTyped(values) && !busy);
  const at = values.buildingId === '' ? undefined : values.buildingId;
  const today = presentDay();
  const byCheck = values.check !== null;

  return (
    <>
      <CommandForm form={form} className="grid gap-4">
        {edits !== undefined && (
          <div role="alert" className="grid gap-1 rounded-panel bg-bad-soft px-3.5 py-3 text-bad">
            <p className="font-medium">{edits.lastError !== null && formatError(edits.lastError)}</p>
            <p className="text-sm">{offlineMessages.editing}</p>
          </div>
        )}
        {restored.savedAt !== null && (
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2 text-sm">
            {taskMessages.draftRestored(formatTime(restored.savedAt))}
            <Button size="sm" variant="quiet" disabled={busy} onClick={onStartAgain}>
              Start again
            </Button>
          </p>
        )}
        <div className={formColumns}>
          <div className={formColumn}>
            <div>
              <PickerField label="Location" error={errors['buildingId']}>
                <LocationPicker
                  buildings={buildings}
                  value={at}
                  disabled={busy}
                  invalid={errors['buildingId'] !== undefined}
                  onChange={(to) => form.set('buildingId', to)}
                />
              </PickerField>
              <NextNumber buildingId={at} />
            </div>
            <SystemField buildingId={at} disabled={busy} {...form.text('complianceSystem')} />
            <TextArea label="Task Description" rows={3} disabled={busy} {...form.text('taskDescription')} />
          </div>
          <div className={formColumn}>
            <SelectField label="Completed by" disabled={busy} {...form.choice('check', TASK_CHECKS)}>
              <option value="">Marked complete by hand</option>
              {TASK_CHECKS.map((check) => (
                <option key={check} value={check}>
                  {`Safety check: ${TASK_CHECK_VOCABULARY[check].label}`}
                </option>
              ))}
            </SelectField>
            <FrequencyField
              value={values.check === null ? values.frequency : frequencyOfCheck(values.check)}
              error={errors['frequency']}
              hint={byCheck ? taskMessages.frequencyOfCheck : undefined}
              disabled={busy || byCheck}
              onChange={(text) => form.set('frequency', text)}
            />
            {!byCheck && (
              <div className="grid items-start gap-4">
                <TextField
                  label="Last done (optional)"
                  type="date"
                  hint={taskMessages.lastDoneHint}
                  min={addMonths(today, -12 * 30)}
                  max={today}
                  disabled={busy}
                  {...form.optional('lastDone')}
                />
                {isDueByCertificate(values) && values.lastDone !== null && (
                  <TextField
                    label="Date on the certificate"
                    type="date"
                    hint={taskMessages.statedHint}
                    min={addDays(values.lastDone, 1)}
                    max={addMonths(today, 120)}
                    disabled={busy}
                    {...form.optional('stated')}
                  />
                )}
              </div>
            )}
            <ResponsibleFields
              buildingId={at}
              text={form.text('responsiblePerson')}
              person={values.responsibleId}
              personError={errors['responsibleId']}
              disabled={busy}
              onPerson={(person, name) => {
                form.set('responsibleId', person);
                if (values.responsiblePerson === '') form.set('responsiblePerson', name);
              }}
            />
          </div>
        </div>
        <StickyFoot>
          <Button type="submit" variant="primary" disabled={busy}>
            {busy ? 'Adding...' : 'Add Task'}
          </Button>
        </StickyFoot>
      </CommandForm>
      {held !== undefined && (
        <LeaveQuestion
          title={taskMessages.leaveTitle}
          text={taskMessages.leaveText}
          onStay={held.stay}
          onLeave={held.leave}
        />
      )}
    </>
  );
}

/** The number that the task will get unless another task is added first. The server assigns it when it saves the task. */
function NextNumber({ buildingId }: { buildingId: string | undefined }) {
  const { data, isError } = useQuery({
    queryKey: ['tasks.nextNumber', buildingId],
    queryFn: ({ signal }) => api.tasks.nextNumber.query({ buildingId: buildingId ?? '' }, { signal }),
    enabled: buildingId !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    // Always rendered, so that screen readers announce its changes; without height while it is empty.
    <p className="mt-1.5 text-ink-2 text-sm empty:mt-0" aria-live="polite">
      {data !== undefined ? (
        <>
          {taskMessages.nextNumber}{' '}
          <span className="font-medium text-ink tabular-nums">{data.taskNumber}</span> (may change)
        </>
      ) : (
        (isError || !navigator.onLine) && buildingId !== undefined && taskMessages.numberLater
      )}
    </p>
  );
}

/** Returns the input without values of options that are not selected. */
function inputOf(fields: TaskFields, id: string): unknown {
  const { check, lastDone, stated } = fields;
  if (check !== null) {
    return { ...fields, id, frequency: frequencyOfCheck(check), lastDone: null, stated: null };
  }
  return { ...fields, id, stated: isDueByCertificate(fields) && lastDone !== null ? stated : null };
}

function idOf(item: QueuedCommand | undefined): string | undefined {
  const id: unknown = Reflect.get(Object(item?.input), 'id');
  return typeof id === 'string' ? id : undefined;
}
