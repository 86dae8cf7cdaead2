import { Undo2 } from 'lucide-react';
import { memo } from 'react';
import { ChoiceButtons } from '../../../../ui/fields/choice-buttons.tsx';
import { InsetError } from '../../../../ui/fields/inset-field.tsx';
import { AT_ONCE } from '../../form-fields.ts';
import type { EntryDraft } from '../entry-draft.ts';
import type { FormSpec } from '../form-spec.ts';
import { isAsked } from '../form-specs.ts';
import { NumberRow } from './number-row.tsx';
import { RaisesNote } from './raises-note.tsx';
import { RowCard } from './row-card.tsx';
import { RowNotes } from './row-notes.tsx';
import { RowPhotos } from './row-photos.tsx';
import type { RowProps } from './row-props.ts';

type Props = RowProps & {
  formSpec: FormSpec;
  /** Values that apply to the whole visit; the same object until they change. */
  visit: EntryDraft;
  isLast: boolean;
};

/** Card of one subject with a large button for each outcome. */
export const OutcomeRow = memo(function OutcomeRow(props: Props) {
  const { row, entry, errors, onChange, formSpec, visit, isLast } = props;
  const { field, label, choices } = formSpec.outcome;
  const outcome = entry[field];
  const chosen = typeof outcome === 'string' ? outcome : undefined;
  const error = errors?.[field];
  const asked = chosen === undefined ? undefined : formSpec.asks[chosen];
  return (
    <RowCard id={row.id} name={row.name} place={row.place} last={row.last} filled={chosen !== undefined}>
      <ChoiceButtons
        label={`${label} of ${row.name}`}
        choices={choices}
        value={chosen}
        onChange={(value) => onChange(row.id, { [field]: value, [AT_ONCE]: undefined })}
        invalid={error !== undefined}
        describedBy={error === undefined ? undefined : `${row.id}-${field}-error`}
      />
      <InsetError id={`${row.id}-${field}-error`} error={error} />
      {formSpec.numbers.map(
        (number) =>
          isAsked(number, chosen, visit) && (
            <NumberRow
              key={number.field}
              id={`${row.id}-${number.field}`}
              label={number.label}
              about={row.name}
              suffix={number.suffix}
              value={String(entry[number.field] ?? '')}
              onChange={(value) => onChange(row.id, { [number.field]: value })}
              error={errors?.[number.field]}
              enterKeyHint={isLast ? 'done' : 'next'}
            />
          ),
      )}
      {chosen !== undefined && formSpec.raises.includes(chosen) && <RaisesNote />}
      <div className="mt-1 flex flex-wrap items-start gap-x-3">
        <RowNotes
          id={`${row.id}-notes`}
          label={asked ?? 'Notes'}
          wanted={asked !== undefined}
          value={String(entry['notes'] ?? '')}
          onChange={(notes) => onChange(row.id, { notes })}
          error={errors?.['notes']}
        />
        <RowPhotos row={row.id} name={row.name} entry={entry} />
        {chosen !== undefined && (
          // Separate from the outcome buttons, so that tapping an outcome twice does not clear it.
          <button
            type="button"
            aria-label={`Clear ${label.toLowerCase()} of ${row.name}`}
            onClick={() => onChange(row.id, { [field]: undefined, [AT_ONCE]: undefined })}
            className="-mb-2 ml-auto inline-flex min-h-12 items-center gap-2 rounded-control px-2 font-medium text-ink-2 text-sm hover:text-ink"
          >
            <Undo2 size={17} aria-hidden />
            Clear
          </button>
        )}
      </div>
    </RowCard>
  );
});
