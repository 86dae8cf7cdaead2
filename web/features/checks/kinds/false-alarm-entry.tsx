import { BellRing, CircleHelp, Clock, MapPin, Siren } from 'lucide-react';
import { type ReactNode, useId, useMemo, useState } from 'react';
import {
  ALARM_SOURCE_LABELS,
  ALARM_SOURCES,
  type AlarmSource,
  falseAlarmMessages,
} from '#shared/features/checks/kinds/false-alarm.vocabulary.ts';
import { CHECK_NOTES_MAX, TEST_LOCATION_MAX } from '#shared/features/checks/kinds.vocabulary.ts';
import type { RegisterBuilding } from '#shared/features/checks/procedure-answers.ts';
import { ChoiceButtons } from '../../../ui/fields/choice-buttons.tsx';
import { InsetError, InsetField, insetControl } from '../../../ui/fields/inset-field.tsx';
import { Picker } from '../../../ui/fields/picker.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TEST_LOCATION_KEY } from '../form-fields.ts';
import type { EntryDraft } from './entry-draft.ts';
import { RowPhotos } from './rows/row-photos.tsx';
import type { RowErrors } from './rows/row-props.ts';
import { sameName, testPointsOf } from './test-points.ts';

const ICONS: Readonly<Record<AlarmSource, ReactNode>> = {
  call_point: <BellRing size={18} aria-hidden />,
  detector: <Siren size={18} aria-hidden />,
  other: <CircleHelp size={18} aria-hidden />,
};
const SOURCES = ALARM_SOURCES.map((value) => ({
  value,
  label: ALARM_SOURCE_LABELS[value],
  icon: ICONS[value],
  tone: 'neutral' as const,
}));
const ELSEWHERE = '\u0000elsewhere';

type Props = {
  site: RegisterBuilding;
  entry: EntryDraft;
  errors: RowErrors | undefined;
  onChange: (id: string, patch: EntryDraft) => void;
};

/** Form of a false alarm: time, source, cause and action taken. */
export function FalseAlarmEntry({ site, entry, errors, onChange }: Props) {
  const sourceId = useId();
  const set = (patch: EntryDraft) => onChange(TEST_LOCATION_KEY, patch);
  const text = (field: string) => String(entry[field] ?? '');
  const source = ALARM_SOURCES.find((one) => one === entry['source']);
  const area = (field: string, label: string, hint?: string) => (
    <TextArea
      label={label}
      hint={hint}
      rows={2}
      maxLength={CHECK_NOTES_MAX}
      value={text(field)}
      onChange={(event) => set({ [field]: event.target.value })}
      error={errors?.[field]}
      className="rounded-panel"
    />
  );
  return (
    <div className="grid gap-3.5">
      <InsetField
        label="Time of the alarm"
        error={errors?.['happenedAt']}
        icon={<Clock size={20} aria-hidden className="text-ink-2" />}
      >
        {(control) => (
          <input
            {...control}
            type="time"
            required
            value={text('happenedAt')}
            onChange={(event) => set({ happenedAt: event.target.value })}
            className={insetControl}
          />
        )}
      </InsetField>
      <div>
        <h2 className="mb-2 font-semibold text-[15px]">Set off by</h2>
        <ChoiceButtons
          label="Set off by"
          choices={SOURCES}
          value={source}
          onChange={(value) => set({ source: value, setOffBy: undefined, assetId: undefined })}
          invalid={errors?.['source'] !== undefined}
          describedBy={errors?.['source'] === undefined ? undefined : sourceId}
        />
        <InsetError id={sourceId} error={errors?.['source']} />
      </div>
      <SetOffBy
        // Remounts when the source changes: a call point is picked from a list, a detector is typed, and a value of one
        // does not fit the other.
        key={source ?? ''}
        site={site}
        source={source}
        entry={entry}
        error={errors?.['setOffBy']}
        set={set}
      />
      {area('cause', 'Cause', falseAlarmMessages.causeHint)}
      {area('actionTaken', 'Action taken', falseAlarmMessages.actionHint)}
      {area('notes', 'Notes')}
      <RowPhotos row={TEST_LOCATION_KEY} name="the false alarm" entry={entry} />
    </div>
  );
}

type SetOffByProps = {
  site: RegisterBuilding;
  source: AlarmSource | undefined;
  entry: EntryDraft;
  error: string | undefined;
  set: (patch: EntryDraft) => void;
};

/** Picker of the site's call points, or a text field: detectors and other sources are not registered as assets. */
function SetOffBy({ site, source, entry, error, set }: SetOffByProps) {
  const points = useMemo(
    () => (source === 'call_point' ? testPointsOf(site, 'fire_alarm_test') : []),
    [site, source],
  );
  const name = String(entry['setOffBy'] ?? '');
  const chosen = points.find((point) => sameName(point.name, name));
  const [elsewhere, setElsewhere] = useState(name !== '' && chosen === undefined);
  const errorId = useId();
  const typed = points.length === 0 || elsewhere;
  return (
    <>
      {points.length > 0 && (
        <div>
          <Picker
            inset
            label="Call point"
            options={[
              ...points.map((point) => ({ id: point.name, label: point.name, detail: point.place })),
              { id: ELSEWHERE, label: 'Another one…' },
            ]}
            value={typed ? ELSEWHERE : chosen?.name}
            onChange={(id) => {
              setElsewhere(id === ELSEWHERE);
              const point = points.find((one) => one.name === id);
              set({ setOffBy: point?.name, assetId: point?.assetId ?? undefined });
            }}
            placeholder="Select a call point"
            searchLabel="Search call points..."
            nothingFound="No call point matches your search."
            icon={<MapPin size={20} aria-hidden className="text-ink-2" />}
            invalid={error !== undefined && !typed}
            describedBy={error === undefined || typed ? undefined : errorId}
          />
          {!typed && <InsetError id={errorId} error={error} />}
        </div>
      )}
      {typed && (
        <InsetField
          label="Which one"
          error={error}
          icon={<MapPin size={20} aria-hidden className="text-ink-2" />}
        >
          {(control) => (
            <input
              {...control}
              type="text"
              autoComplete="off"
              maxLength={TEST_LOCATION_MAX}
              placeholder="Its name and where it is"
              value={name}
              onChange={(event) => set({ setOffBy: event.target.value, assetId: undefined })}
              className={insetControl}
            />
          )}
        </InsetField>
      )}
    </>
  );
}
