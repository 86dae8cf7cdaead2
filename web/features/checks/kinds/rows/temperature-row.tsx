import { Check, TriangleAlert } from 'lucide-react';
import { memo, type ReactNode, useDeferredValue, useRef } from 'react';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import {
  CELSIUS,
  waterTemperatureMessages,
} from '#shared/features/checks/kinds/water-temperature.vocabulary.ts';
import { isAtLimit, isSatisfactory, type Limits } from '#shared/features/checks/limits.vocabulary.ts';
import { Badge } from '../../../../ui/feedback/badge.tsx';
import { InsetError } from '../../../../ui/fields/inset-field.tsx';
import { StepperField, type StepperTone } from '../../../../ui/fields/stepper-field.tsx';
import { TouchCheckbox } from '../../../../ui/fields/touch-checkbox.tsx';
import { stepped, typedNumber } from '../../typed-number.ts';
import { NumberRow } from './number-row.tsx';
import { RaisesNote } from './raises-note.tsx';
import { RowCard } from './row-card.tsx';
import { RowNotes } from './row-notes.tsx';
import { RowPhotos } from './row-photos.tsx';
import type { RowProps } from './row-props.ts';

const STEP = 10 ** -CELSIUS.digits;
const DEGREES = '°C';
const UNTOUCHED = {
  selected: undefined,
  temperatureCelsius: undefined,
  blendedCelsius: undefined,
  notes: undefined,
};

/**
 * Row of a water outlet, selected by its checkbox or by typing a temperature. The reading is judged while it is typed.
 */
export const TemperatureRow = memo(function TemperatureRow(props: RowProps & { isLast: boolean }) {
  const { row, entry, errors, onChange, isLast } = props;
  const input = useRef<HTMLInputElement>(null);
  const text = String(entry['temperatureCelsius'] ?? '');
  const verdict = verdictOf(typedNumber(text), row.limits);
  const error = errors?.['temperatureCelsius'];
  const chosen = text !== '' || entry['selected'] === true;
  const failed = verdict?.badge === 'bad';
  // Only cold outlets have a maximum.
  const max = row.limits?.max ?? null;
  const isTooWarm = failed && error === undefined && max !== null;
  const said = error !== undefined ? 'error' : isTooWarm ? 'limit' : undefined;
  // Deferred, so that the first digit renders before the fields that it reveals.
  const open = useDeferredValue(chosen) && chosen;
  const blended = row.outletKind === 'mixed' && chosen;

  function step(direction: -1 | 1) {
    const next = stepped(text, direction * STEP, CELSIUS);
    // Without a reading there is no number to step from, and a tap must not invent a reading.
    if (next === undefined) input.current?.focus();
    else onChange(row.id, { temperatureCelsius: next });
  }

  return (
    <RowCard
      id={row.id}
      name={row.name}
      place={[row.place, row.kindWord].filter(Boolean).join(' · ')}
      last={row.last}
      filled={chosen}
      choose={
        <TouchCheckbox
          className="-my-2 -mr-1.5 -ml-3"
          label={`Test ${row.name}`}
          checked={chosen}
          onChange={(selected) => onChange(row.id, selected ? { selected } : UNTOUCHED)}
        />
      }
      tag={
        // Without limits a reading cannot be judged, so no badge is shown.
        row.limits !== undefined && (
          <Badge tone={verdict?.badge ?? 'neutral'} icon={verdict?.icon} size="lg">
            {verdict?.text ?? 'Not read'}
          </Badge>
        )
      }
    >
      <StepperField
        id={`${row.id}-temperatureCelsius`}
        input={input}
        label={`Temperature of ${row.name}`}
        unit={DEGREES}
        value={text}
        onChange={(temperatureCelsius) => onChange(row.id, { temperatureCelsius })}
        onStep={step}
        tone={verdict?.tone ?? 'plain'}
        invalid={error !== undefined}
        describedBy={said && `${row.id}-temperatureCelsius-${said}`}
        enterKeyHint={isLast && !blended ? 'done' : 'next'}
      />
      <InsetError id={`${row.id}-temperatureCelsius-error`} error={error} />
      {isTooWarm && (
        <p id={`${row.id}-temperatureCelsius-limit`} className="mt-2 text-ink-2 text-sm">
          {waterTemperatureMessages.satisfactory(max)}
        </p>
      )}
      {row.mayBeHot === true && chosen && <p className="mt-2 text-due text-sm">{assetMessages.mayBeHot}</p>}
      {blended && (
        <NumberRow
          id={`${row.id}-blendedCelsius`}
          label="Blended temperature"
          about={row.name}
          suffix={DEGREES}
          value={String(entry['blendedCelsius'] ?? '')}
          onChange={(blendedCelsius) => onChange(row.id, { blendedCelsius })}
          error={errors?.['blendedCelsius']}
          enterKeyHint={isLast ? 'done' : 'next'}
        />
      )}
      {failed && error === undefined && <RaisesNote />}
      <RowTail row={row} entry={entry} errors={errors} onChange={onChange} chosen={open} failed={failed} />
    </RowCard>
  );
});

function RowTail({
  row,
  entry,
  errors,
  onChange,
  chosen,
  failed,
}: RowProps & { chosen: boolean; failed: boolean }) {
  // Notes and photos need a reading.
  if (!chosen) return null;
  return (
    <div className="mt-1 flex flex-wrap items-start gap-x-3">
      <RowNotes
        id={`${row.id}-notes`}
        label="Notes"
        wanted={failed}
        value={String(entry['notes'] ?? '')}
        onChange={(notes) => onChange(row.id, { notes })}
        error={errors?.['notes']}
      />
      <RowPhotos row={row.id} name={row.name} entry={entry} />
    </div>
  );
}

type Verdict = { tone: StepperTone; text: string; badge: 'ok' | 'due' | 'bad'; icon: ReactNode };

/** Previews the result of a reading; the server decides. Undefined without a valid reading or limits. */
function verdictOf(value: number | undefined, limits: Limits | undefined): Verdict | undefined {
  if (value === undefined || limits === undefined || !(value >= CELSIUS.min && value <= CELSIUS.max)) {
    return undefined;
  }
  if (!isSatisfactory(value, limits)) {
    const above = limits.max !== null && value > limits.max;
    const text = above ? `Above ${limits.max} ${DEGREES}` : `Below ${limits.min} ${DEGREES}`;
    return { tone: 'bad', badge: 'bad', text, icon: <TriangleAlert size={14} aria-hidden /> };
  }
  const icon = <Check size={14} aria-hidden />;
  return isAtLimit(value, limits)
    ? { tone: 'ok', badge: 'due', text: 'At the limit', icon }
    : { tone: 'ok', badge: 'ok', text: 'Satisfactory', icon };
}
