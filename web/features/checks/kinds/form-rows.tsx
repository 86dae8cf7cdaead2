import { CircleAlert } from 'lucide-react';
import { Fragment, useState } from 'react';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { definitionOf } from '#shared/features/checks/index.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { cx } from '../../../ui/cx.ts';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { InsetError } from '../../../ui/fields/inset-field.tsx';
import { SegmentedControl } from '../../../ui/fields/segmented-control.tsx';
import { SUPPLY_RESTORED } from '../form-fields.ts';
import { type CheckDraft, EMPTY_ENTRY } from './check-draft.ts';
import type { EntryDraft } from './entry-draft.ts';
import { FillAll } from './fill-all.tsx';
import { formPartsOf } from './form-parts.ts';
import type { FormSpec } from './form-spec.ts';
import { OutcomeRow } from './rows/outcome-row.tsx';
import type { CheckRow } from './rows/row-props.ts';
import type { FormErrors } from './validate-visit.ts';

type Props = {
  kind: CheckKind;
  formSpec: FormSpec;
  rows: readonly CheckRow[];
  /** Number of filled rows; `wanted` is the number of rows to fill in. */
  filled: number;
  wanted: number;
  draft: CheckDraft;
  errors: FormErrors;
  onChange: (id: string, patch: EntryDraft) => void;
  onVisit: (patch: EntryDraft) => void;
  /** Sets the same outcome on all of the given rows. */
  onFillAll: (rows: readonly CheckRow[], filling: EntryDraft) => void;
  onUndoFill: (field: string) => void;
};

/** The visit's own fields, followed by one card for each subject. */
export function FormRows(props: Props) {
  const { kind, formSpec, rows, filled, wanted, draft, errors, onChange, onVisit } = props;
  const { cadence, subject: words } = CHECK_VOCABULARY[kind];
  const { many } = words;
  const { subject, visitFields } = definitionOf(kind);
  const supply = visitFields?.supplyRestored;
  const { note } = formSpec;
  const { Row } = formPartsOf(kind);
  if (rows.length === 0) {
    return (
      <div
        data-invalid={errors.group === undefined ? undefined : true}
        tabIndex={-1}
        className="mt-4 rounded-phone border border-line-2 border-dashed px-6 py-10 text-center text-ink-2"
      >
        {subject.of === 'assets' && subject.type !== 'water_outlet'
          ? subject.noneMessage
          : formMessages.noneHere(many.toLowerCase())}
      </div>
    );
  }
  return (
    <>
      {formSpec.choices.map(({ field, label, options }) => (
        <VisitChoice
          key={field}
          label={label}
          options={options}
          value={draft.visit[field]}
          onChange={(value) => onVisit({ [field]: value })}
        />
      ))}
      {note !== undefined && draft.visit[note.when.field] === note.when.is && (
        <p className="mt-2.5 flex items-start gap-2 rounded-panel bg-due-soft px-3.5 py-2.5 text-due">
          <CircleAlert size={17} className="mt-0.5" aria-hidden />
          {note.text}
        </p>
      )}
      <div className="mx-0.5 mt-4 mb-2 flex items-center gap-2.5">
        <h2 className="font-semibold text-[15px]">{many}</h2>
        <span className="text-base text-ink-2 tabular-nums" aria-live="polite">
          {filled} of {wanted} {formSpec.done}
        </span>
        <ProgressBar done={filled} of={wanted} />
      </div>
      <FillAll {...props} />
      <GroupError error={errors.group} />
      <ul className="grid gap-2.5">
        {rows.map((row, at) => {
          const props = {
            row,
            entry: draft.entries[row.id] ?? EMPTY_ENTRY,
            errors: errors.rows[row.id],
            onChange,
            isLast: at === rows.length - 1,
          };
          return (
            <Fragment key={row.id}>
              {row.done === true && rows[at - 1]?.done !== true && (
                <li className="mx-0.5 mt-2.5 font-semibold text-[15px]">
                  {formMessages.doneAlready(cadence === 'weekly' ? 'week' : 'month')}
                </li>
              )}
              {Row === undefined ? (
                <OutcomeRow {...props} formSpec={formSpec} visit={draft.visit} />
              ) : (
                <Row {...props} />
              )}
            </Fragment>
          );
        })}
      </ul>
      {supply !== undefined && (
        <SupplyTick
          label={supply.label}
          checked={draft.visit[SUPPLY_RESTORED] === true}
          error={errors.visit[SUPPLY_RESTORED]}
          onChange={(checked) => onVisit({ [SUPPLY_RESTORED]: checked || undefined })}
        />
      )}
    </>
  );
}

/**
 * Error of the rows as a group. Once corrected it turns invisible but keeps its space, so that the layout does not
 * shift under the thumb.
 */
function GroupError({ error }: { error: string | undefined }) {
  const [said, setSaid] = useState(error);
  if (error !== undefined && error !== said) setSaid(error);
  if (said === undefined) return null;
  const wrong = error !== undefined;
  return (
    <div
      data-invalid={wrong || undefined}
      tabIndex={-1}
      role={wrong ? 'alert' : undefined}
      className={cx('mb-2.5 outline-none', !wrong && 'invisible')}
    >
      <InsetError id="rows-error" error={said} />
    </div>
  );
}

type ChoiceProps = {
  label: string;
  options: Readonly<Record<string, string>>;
  value: EntryDraft[string];
  onChange: (value: string) => void;
};

/** Choice that applies to all rows. The first option is the default. */
function VisitChoice({ label, options, value, onChange }: ChoiceProps) {
  const values = Object.entries(options).map(([key, text]) => ({ value: key, label: text }));
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <span className="px-0.5 font-semibold text-[15px]" aria-hidden>
        {label}
      </span>
      <SegmentedControl
        label={label}
        options={values}
        value={typeof value === 'string' ? value : (values[0]?.value ?? '')}
        onChange={onChange}
      />
    </div>
  );
}

type TickProps = {
  label: string;
  checked: boolean;
  error: string | undefined;
  onChange: (checked: boolean) => void;
};

function SupplyTick({ label, checked, error, onChange }: TickProps) {
  return (
    <div className="mt-4">
      <label className="flex min-h-[56px] cursor-pointer items-center gap-3.5 rounded-phone border border-line bg-surface px-3.5 py-2">
        <input
          type="checkbox"
          checked={checked}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : 'supply-error'}
          onChange={(event) => onChange(event.target.checked)}
          className="size-6 accent-brand"
        />
        <span className="font-medium text-md">{label}</span>
      </label>
      <InsetError id="supply-error" error={error} />
    </div>
  );
}
