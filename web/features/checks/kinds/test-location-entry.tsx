import { Check, MapPin, Sparkles, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { addDays, formatDay, formatRelative } from '#shared/dates.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import {
  CHECK_VOCABULARY,
  type CheckKind,
  TEST_LOCATION_MAX,
} from '#shared/features/checks/kinds.vocabulary.ts';
import { cx } from '../../../ui/cx.ts';
import { ChoiceButtons } from '../../../ui/fields/choice-buttons.tsx';
import { InsetError, InsetField, insetControl } from '../../../ui/fields/inset-field.tsx';
import { Picker } from '../../../ui/fields/picker.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { SAVE_AS_POINT, TEST_LOCATION_FIELD, TEST_LOCATION_KEY } from '../form-fields.ts';
import type { EntryDraft } from './entry-draft.ts';
import type { FormSpec } from './form-spec.ts';
import { RaisesNote } from './rows/raises-note.tsx';
import { RowPhotos } from './rows/row-photos.tsx';
import type { RowErrors } from './rows/row-props.ts';
import { repeatedOn, sameName, type TestPoint } from './test-points.ts';

const ELSEWHERE = '\u0000elsewhere';
const NOTES_MAX = 2_000;

type Props = {
  kind: CheckKind;
  /** Sorted by last test, the longest untested first. */
  points: readonly TestPoint[];
  day: string;
  entry: EntryDraft;
  errors: RowErrors | undefined;
  formSpec: FormSpec;
  onChange: (id: string, patch: EntryDraft) => void;
};

/**
 * Form of one test at one location: the location, with the next in turn suggested, pass or fail, then notes and photos.
 * Nothing is inserted above the result once it is set, so that the layout does not shift.
 */
export function TestLocationEntry({ kind, points, day, entry, errors, formSpec, onChange }: Props) {
  const { field, label, choices } = formSpec.outcome;
  const outcome = typeof entry[field] === 'string' ? entry[field] : undefined;
  const errorId = useId();
  const repeated = repeatedOn(points, String(entry[TEST_LOCATION_FIELD] ?? ''), kind, day);
  const set = (patch: EntryDraft) => onChange(TEST_LOCATION_KEY, patch);
  return (
    <div className="grid gap-2.5">
      <PlaceFields points={points} day={day} entry={entry} errors={errors} set={set} />
      <div>
        <h2 className="mb-2 font-semibold text-[15.5px]">{label}</h2>
        <ChoiceButtons
          label={label}
          size="large"
          choices={choices}
          value={outcome}
          onChange={(value) => set({ [field]: value })}
          invalid={errors?.[field] !== undefined}
          describedBy={errors?.[field] === undefined ? undefined : errorId}
        />
        <InsetError id={errorId} error={errors?.[field]} />
        {/* Below the result, because another person's test can make it appear at any time. */}
        {repeated !== undefined && (
          <p
            role="status"
            className="mt-2.5 flex items-start gap-2 rounded-panel bg-due-soft px-3.5 py-2.5 text-due"
          >
            <TriangleAlert size={17} className="mt-0.5 shrink-0" aria-hidden />
            {formMessages.repeated(formatDay(repeated))}
          </p>
        )}
        {outcome !== undefined && formSpec.raises.includes(outcome) && <RaisesNote />}
      </div>
      <TextArea
        label="Notes"
        rows={2}
        maxLength={NOTES_MAX}
        value={String(entry['notes'] ?? '')}
        onChange={(event) => set({ notes: event.target.value })}
        error={errors?.['notes']}
        className="rounded-panel"
      />
      <RowPhotos
        row={TEST_LOCATION_KEY}
        name={String(entry[TEST_LOCATION_FIELD] ?? 'the test')}
        entry={entry}
      />
      {points.length > 1 && CHECK_VOCABULARY[kind].cadence === 'weekly' && (
        <p className="px-1 text-ink-2 text-sm">{formMessages.cycle(points.length)}</p>
      )}
    </div>
  );
}

type FieldsProps = {
  points: readonly TestPoint[];
  day: string;
  entry: EntryDraft;
  errors: RowErrors | undefined;
  set: (patch: EntryDraft) => void;
};

function PlaceFields({ points, day, entry, errors, set }: FieldsProps) {
  const name = String(entry[TEST_LOCATION_FIELD] ?? '');
  const chosen = points.find((point) => sameName(point.name, name));
  const [elsewhere, setElsewhere] = useState(false);
  // Switches to free text for a typed name, including one from a restored draft, and stays there when the name is
  // cleared, so that the focused field is not replaced.
  if (name !== '' && chosen === undefined && !elsewhere) setElsewhere(true);
  const free = points.length === 0 || elsewhere;
  const error = errors?.[TEST_LOCATION_FIELD];
  const suggested = points[0];

  function choose(id: string) {
    setElsewhere(id === ELSEWHERE);
    const point = points.find((one) => one.name === id);
    set({
      [TEST_LOCATION_FIELD]: point?.name,
      assetId: point?.assetId ?? undefined,
      [SAVE_AS_POINT]: undefined,
    });
  }

  return (
    <>
      {points.length > 0 && (
        <div>
          <Picker
            inset
            label="Test location"
            options={[
              ...points.map((point) => ({
                id: point.name,
                label: point.name,
                detail: lastTested(point, day),
              })),
              { id: ELSEWHERE, label: 'Somewhere else…' },
            ]}
            value={free ? ELSEWHERE : chosen?.name}
            onChange={choose}
            placeholder="Select a test location"
            searchLabel="Search test locations..."
            nothingFound="No test location matches your search."
            icon={<MapPin size={20} aria-hidden className="text-ink-2" />}
            invalid={error !== undefined && !free}
            describedBy={error === undefined ? undefined : 'place-error'}
          />
          {suggested !== undefined && points.length > 1 && !free && (
            <NextInTurn
              point={suggested}
              day={day}
              chosen={sameName(name, suggested.name)}
              onChoose={() => choose(suggested.name)}
            />
          )}
          {/* Below the suggestion, which is tapped to correct the error and must not move. */}
          {!free && <InsetError id="place-error" error={error} />}
        </div>
      )}
      {free && <FreePlace entry={entry} error={error} set={set} />}
    </>
  );
}

type NextProps = { point: TestPoint; day: string; chosen: boolean; onChoose: () => void };

/** Suggestion of the point whose turn it is. Once chosen it is disabled but stays, so that the layout does not shift. */
function NextInTurn({ point, day, chosen, onChoose }: NextProps) {
  const Icon = chosen ? Check : Sparkles;
  return (
    <button
      type="button"
      disabled={chosen}
      onClick={onChoose}
      className={cx(
        'mt-2 flex min-h-12 w-full items-center gap-2.5 rounded-panel px-3.5 py-2 text-left',
        chosen ? 'bg-mute text-ink-2' : 'bg-brand-soft text-brand',
      )}
    >
      <Icon size={18} aria-hidden />
      <span className="min-w-0">
        <span className="block truncate font-semibold">
          {chosen ? 'Next in turn' : `Next in turn: ${point.name}`}
        </span>
        <span className="block text-sm">{lastTested(point, day)}</span>
      </span>
    </button>
  );
}

type FreeProps = { entry: EntryDraft; error: string | undefined; set: (patch: EntryDraft) => void };

function FreePlace({ entry, error, set }: FreeProps) {
  const name = String(entry[TEST_LOCATION_FIELD] ?? '');
  return (
    <div>
      <InsetField label="Test location" error={error}>
        {(control) => (
          <input
            {...control}
            type="text"
            autoComplete="off"
            maxLength={TEST_LOCATION_MAX}
            placeholder="Where the test was made"
            value={name}
            onChange={(event) => set({ [TEST_LOCATION_FIELD]: event.target.value, assetId: undefined })}
            className={insetControl}
          />
        )}
      </InsetField>
      {name.trim() !== '' && (
        <label className="mt-1 flex min-h-12 cursor-pointer items-center gap-3 px-1">
          <input
            type="checkbox"
            checked={entry[SAVE_AS_POINT] === true}
            onChange={(event) => set({ [SAVE_AS_POINT]: event.target.checked || undefined })}
            className="size-5 accent-brand"
          />
          Save as a test point of this site
        </label>
      )}
    </div>
  );
}

function lastTested({ last }: TestPoint, day: string): string {
  if (last === null) return 'Never tested';
  const when = last.day >= addDays(day, 0) ? 'today' : formatRelative(last.day, `${day}T00:00:00Z`);
  return `Last tested ${when}${last.result === 'fail' ? ', failed' : ''}`;
}
