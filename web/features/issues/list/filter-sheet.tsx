import type { ReactNode } from 'react';
import { ISSUE_PRIORITIES, ISSUE_STATUSES } from '#shared/features/issues/issues.vocabulary.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.tsx';
import type { IssuesState } from '../issues-url.ts';
import { all, priorityOptions, rangeOptions, statusOptions } from './filter-options.tsx';

type Props = {
  state: IssuesState;
  onChange: (patch: Partial<IssuesState>) => void;
  onClear: () => void;
  onClose: () => void;
};

/** Dialog with all filters, for phones. Each choice applies at once; Done only closes the dialog. */
export default function FilterSheet({ state, onChange, onClear, onClose }: Props) {
  const toggle = <T,>(values: readonly T[], value: T) =>
    values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
  return (
    <Dialog open onClose={onClose} title="Filters">
      <div className="grid gap-5">
        <Group name="Status">
          {statusOptions.map(({ value, label, icon }) => (
            <Choice
              key={value}
              type="checkbox"
              name="status"
              checked={state.statuses.includes(value)}
              onChange={() =>
                onChange({ statuses: all(toggle(state.statuses, value), ISSUE_STATUSES.length) })
              }
            >
              {icon}
              {label}
            </Choice>
          ))}
        </Group>
        <Group name="Priority">
          {priorityOptions.map(({ value, label, icon }) => (
            <Choice
              key={value}
              type="checkbox"
              name="priority"
              checked={state.priorities.includes(value)}
              onChange={() =>
                onChange({ priorities: all(toggle(state.priorities, value), ISSUE_PRIORITIES.length) })
              }
            >
              {icon}
              {label}
            </Choice>
          ))}
        </Group>
        <Group name="Created">
          {rangeOptions.map(({ value, label }) => (
            <Choice
              key={value}
              type="radio"
              name="created"
              checked={state.range === value}
              onChange={() => onChange({ range: value })}
            >
              {label}
            </Choice>
          ))}
        </Group>
        <Group name="People">
          <Choice
            type="checkbox"
            name="mine"
            checked={state.mine}
            onChange={() => onChange({ mine: !state.mine })}
          >
            Assigned to me
          </Choice>
        </Group>
      </div>
      <DialogActions>
        <Button onClick={onClear}>Clear</Button>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-2 font-medium text-ink-2 text-sm">{name}</legend>
      <div className="flex flex-wrap gap-2">{children}</div>
    </fieldset>
  );
}

type ChoiceProps = {
  type: 'checkbox' | 'radio';
  name: string;
  checked: boolean;
  onChange: () => void;
  children: ReactNode;
};

function Choice({ type, name, checked, onChange, children }: ChoiceProps) {
  return (
    <label
      className={cx(
        'flex h-12 cursor-pointer items-center gap-2 rounded-full border px-4 font-medium text-md has-focus-visible:outline-2 has-focus-visible:outline-brand',
        checked ? 'border-brand bg-brand-soft text-brand' : 'border-line-2 bg-surface text-ink-2',
      )}
    >
      <input type={type} name={name} checked={checked} onChange={onChange} className="sr-only" />
      {children}
    </label>
  );
}
