import { useEffect } from 'react';
import { isDone } from '#shared/features/issue-edit.ts';
import { type Issue, type IssueEdit, type IssueEditField, issueEditSchema } from '#shared/features/issues.ts';
import {
  ISSUE_PRIORITIES,
  ISSUE_PRIORITY_LABELS,
  ISSUE_STATUS_LABELS,
  ISSUE_STATUSES,
  PAUSE_REASON_LABELS,
  PAUSE_REASONS,
} from '#shared/features/issues.vocabulary.ts';
import { messages } from '#shared/messages.ts';
import { oneOf } from '../../lib/one-of.ts';
import { useRowEdits } from '../../lib/use-row-edits.ts';
import { Button } from '../../ui/button.tsx';
import { CancelButton } from '../../ui/cancel-button.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { FieldConflict } from '../../ui/field-conflict.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ClosingNotice } from './closing-question.tsx';
import { EDIT_FIELDS, patchOf, peopleFor } from './edit-fields.ts';
import { toastFailure, toastSuccess, toastUncertain } from './toasts.ts';
import { useColleagues } from './use-changed-by.ts';
import { useUpdateIssue } from './use-issues.ts';

type Props = {
  issue: Issue;
  canManage: boolean;
  startsInForm: boolean;
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
};

/**
 * Form with an issue's fields. Only changed fields are sent; changes by other people appear in fields not edited here.
 */
export function IssueEditForm({ issue: cached, canManage, startsInForm, onDirty, onClose }: Props) {
  const update = useUpdateIssue(toastUncertain);
  const colleagues = useColleagues(cached.buildingId, canManage);
  const edits = useRowEdits<IssueEdit, Issue>({
    row: cached,
    fields: EDIT_FIELDS,
    onDirty,
    onClose,
    check: (wishes) => issueEditSchema.partial().safeParse(wishes).error?.issues ?? [],
    send: (row, changes) => update(row, changes, patchOf(changes, colleagues)),
    onSaved: () => toastSuccess(messages.issues.updated),
    onFailed: (error) => toastFailure(error, messages.issues.updateFailed),
  });
  const { row: issue, form, saving, value, set } = edits;

  useEffect(() => {
    if (startsInForm) form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, [startsInForm, form]);

  /** Returns the props of a field besides its value. */
  function about(field: IssueEditField, words: (value: unknown) => string) {
    return {
      error: edits.wrong[field],
      hint: edits.contested(field) ? (
        <FieldConflict
          theirs={words(issue[field])}
          onKeep={() => edits.keepMine(field)}
          onTake={() => edits.takeTheirs(field)}
        />
      ) : undefined,
    };
  }
  const disabled = !canManage || saving;
  const people = peopleFor(issue, colleagues);
  const done = isDone(value('status'));

  return (
    <form ref={form} noValidate onSubmit={edits.onSubmit} className="grid gap-4">
      {!canManage && (
        <p className="rounded-control bg-mute px-3 py-2 text-ink-2 text-sm">{messages.issues.cannotEdit}</p>
      )}
      <TextField
        label="Title"
        maxLength={200}
        disabled={disabled}
        value={value('title')}
        onChange={(event) => set('title', event.target.value)}
        {...about('title', String)}
      />
      <TextArea
        label="Description"
        rows={5}
        maxLength={5000}
        disabled={disabled}
        value={value('description')}
        onChange={(event) => set('description', event.target.value)}
        {...about('description', String)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Status"
          disabled={disabled}
          value={value('status')}
          onChange={(event) => set('status', oneOf(ISSUE_STATUSES, event.target.value) ?? issue.status)}
          {...about('status', () => ISSUE_STATUS_LABELS[issue.status])}
        >
          {ISSUE_STATUSES.map((status) => (
            <option key={status} value={status}>
              {ISSUE_STATUS_LABELS[status]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Priority"
          disabled={disabled}
          value={value('priority')}
          onChange={(event) => set('priority', oneOf(ISSUE_PRIORITIES, event.target.value) ?? issue.priority)}
          {...about('priority', () => ISSUE_PRIORITY_LABELS[issue.priority])}
        >
          {ISSUE_PRIORITIES.map((priority) => (
            <option key={priority} value={priority}>
              {ISSUE_PRIORITY_LABELS[priority]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Assigned to"
          disabled={disabled}
          value={value('assignedTo') ?? ''}
          onChange={(event) => set('assignedTo', event.target.value === '' ? null : event.target.value)}
          {...about('assignedTo', () => issue.assignedToName ?? 'No one')}
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
          disabled={disabled || (done && value('pauseReason') === null)}
          value={value('pauseReason') ?? ''}
          onChange={(event) => set('pauseReason', oneOf(PAUSE_REASONS, event.target.value) ?? null)}
          {...about('pauseReason', () =>
            issue.pauseReason === null ? 'Running' : PAUSE_REASON_LABELS[issue.pauseReason],
          )}
        >
          <option value="">{done ? 'Stopped' : 'Running'}</option>
          {PAUSE_REASONS.map((reason) => (
            <option key={reason} value={reason}>
              Paused: {PAUSE_REASON_LABELS[reason].toLowerCase()}
            </option>
          ))}
        </SelectField>
      </div>
      {value('status') === 'closed' && issue.status !== 'closed' && <ClosingNotice issue={issue} />}
      <div className="-mt-1 print:hidden">
        <DialogActions>
          <CancelButton label={canManage ? 'Cancel' : 'Close'} />
          {canManage && (
            <Button type="submit" variant="primary" disabled={saving}>
              {saving ? 'Updating...' : 'Update Issue'}
            </Button>
          )}
        </DialogActions>
      </div>
    </form>
  );
}
