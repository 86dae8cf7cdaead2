import { useEffect } from 'react';
import { isDone } from '#shared/features/issues/issue-edit.ts';
import { type Issue, updateIssueInput } from '#shared/features/issues/issues.ts';
import {
  ISSUE_PRIORITIES,
  ISSUE_PRIORITY_LABELS,
  ISSUE_STATUS_LABELS,
  ISSUE_STATUSES,
  PAUSE_REASON_LABELS,
  PAUSE_REASONS,
} from '#shared/features/issues/issues.vocabulary.ts';
import { messages } from '#shared/messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { conflictHint } from '../../../forms/conflict-hint.tsx';
import { FormActions } from '../../../forms/form-actions.tsx';
import { useRowForm } from '../../../forms/use-row-form.ts';
import { CancelButton } from '../../../ui/dialogs/cancel-button.tsx';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.tsx';
import { Options, SelectField } from '../../../ui/fields/select-field.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useUpdateIssue } from '../use-issues.ts';
import { ClosingNotice } from './closing-notice.tsx';
import { patchOf, peopleFor } from './edit-fields.ts';
import { useColleagues } from './use-changed-by.ts';

type Props = {
  issue: Issue;
  canManage: boolean;
  startsInForm: boolean;
  onClose: () => void;
};

const schema = updateIssueInput.omit({ operationId: true });

/**
 * Form with an issue's fields. Only changed fields are sent; changes by other people appear in fields not edited here.
 */
export function IssueEditForm({ issue: cached, canManage, startsInForm, onClose }: Props) {
  const update = useUpdateIssue();
  const colleagues = useColleagues(cached.buildingId, canManage);
  const form = useRowForm({
    row: cached,
    schema,
    input: (changes) => ({ id: cached.id, changes }),
    send: (input, row) => update(row, input.changes, patchOf(input.changes, colleagues)),
    about: cached.referenceNumber,
    success: messages.issues.updated,
    failure: messages.issues.updateFailed,
    onUnchanged: onClose,
    onSent: onClose,
  });
  const { row: issue, values, ref } = form;

  useEffect(() => {
    if (startsInForm) ref.current?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, [startsInForm, ref]);

  const disabled = !canManage || form.busy;
  const people = peopleFor(issue, colleagues);
  const done = isDone(values.status);

  return (
    <CommandForm form={form} className="grid gap-4">
      {!canManage && (
        <p className="rounded-control bg-mute px-3 py-2 text-ink-2 text-sm">{messages.issues.cannotEdit}</p>
      )}
      <TextField
        label="Title"
        disabled={disabled}
        hint={conflictHint(form, 'title')}
        {...form.text('title')}
      />
      <TextArea
        label="Description"
        rows={5}
        disabled={disabled}
        hint={conflictHint(form, 'description')}
        {...form.text('description')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Status"
          disabled={disabled}
          hint={conflictHint(form, 'status', (status) => ISSUE_STATUS_LABELS[status])}
          {...form.choice('status', ISSUE_STATUSES)}
        >
          <Options values={ISSUE_STATUSES} labels={ISSUE_STATUS_LABELS} />
        </SelectField>
        <SelectField
          label="Priority"
          disabled={disabled}
          hint={conflictHint(form, 'priority', (priority) => ISSUE_PRIORITY_LABELS[priority])}
          {...form.choice('priority', ISSUE_PRIORITIES)}
        >
          <Options values={ISSUE_PRIORITIES} labels={ISSUE_PRIORITY_LABELS} />
        </SelectField>
        <SelectField
          label="Assigned to"
          disabled={disabled}
          hint={conflictHint(form, 'assignedTo', () => issue.assignedToName ?? 'No one')}
          {...form.optional('assignedTo')}
        >
          <option value="">No one</option>
          {people.map((person) => (
            <option key={person.id} value={person.id}>
              {person.name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Response clocks"
          disabled={disabled || (done && values.pauseReason === null)}
          hint={conflictHint(form, 'pauseReason', (reason) =>
            reason === null ? 'Running' : PAUSE_REASON_LABELS[reason],
          )}
          {...form.choice('pauseReason', PAUSE_REASONS)}
        >
          <option value="">{done ? 'Stopped' : 'Running'}</option>
          {PAUSE_REASONS.map((reason) => (
            <option key={reason} value={reason}>
              Paused: {PAUSE_REASON_LABELS[reason].toLowerCase()}
            </option>
          ))}
        </SelectField>
      </div>
      {values.status === 'closed' && issue.status !== 'closed' && <ClosingNotice issue={issue} />}
      <div className="-mt-1 print:hidden">
        {canManage ? (
          <FormActions form={form} action="Update Issue" pending="Updating..." />
        ) : (
          <DialogActions>
            <CancelButton label="Close" />
          </DialogActions>
        )}
      </div>
    </CommandForm>
  );
}
