import type { BuildingsChoice } from '#shared/buildings-choice.ts';
import {
  DISPLAY_BOUNDS,
  type DisplaySettings,
  TURNS,
  WALL_SCREENS,
  type WallScreen,
} from '#shared/features/displays/display-settings.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import { VIEWS, type View } from '#shared/views.ts';
import type { FormPart } from '../../forms/use-command-form.ts';
import { CheckField } from '../../ui/fields/check-field.tsx';
import { Options, SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { BuildingsFields } from '../locations/buildings-fields.tsx';

/** The fields of a display that its forms edit. */
export type DisplayFields = BuildingsChoice & {
  name: string;
  view: View;
  settings: DisplaySettings;
};

const VIEW_OPTIONS: Readonly<Record<View, string>> = {
  manager: "Manager's view - with titles of issues",
  public: 'Public view - buildings and states only, for corridors',
};
const SCREEN_LABELS: Readonly<Record<WallScreen, string>> = {
  now: 'Now - what needs attention',
  today: 'Today - checks by building',
  week: 'Week - compliance by building',
};
const TURN_LABELS: Readonly<Record<(typeof TURNS)[number], string>> = {
  0: 'Not turned',
  90: 'A quarter to the right',
  180: 'Upside down',
  270: 'A quarter to the left',
};
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

/** Name, view, buildings and settings of a display. */
export function DisplayFieldset({ form }: { form: FormPart<DisplayFields> }) {
  const { view, settings } = form.values;
  const set = (change: Partial<DisplaySettings>) => form.set('settings', { ...settings, ...change });
  return (
    <fieldset disabled={form.busy} className="grid min-w-0 gap-4">
      <legend className="sr-only">Display</legend>
      <TextField
        label="Name"
        autoComplete="off"
        placeholder="Reception, ground floor"
        {...form.text('name')}
      />
      <SelectField
        label="View"
        name="view"
        value={view}
        onChange={({ target }) => form.set('view', target.value === 'public' ? 'public' : 'manager')}
      >
        <Options values={VIEWS} labels={VIEW_OPTIONS} />
      </SelectField>
      <BuildingsFields form={form} />
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-medium text-sm">Screens</legend>
        {WALL_SCREENS.map((screen) => (
          <CheckField
            key={screen}
            label={SCREEN_LABELS[screen]}
            checked={settings.screens.includes(screen)}
            onChange={(on) =>
              set({
                screens: WALL_SCREENS.filter((one) => (one === screen ? on : settings.screens.includes(one))),
              })
            }
          />
        ))}
        {settings.screens.length === 0 && (
          <p className="text-bad text-sm" role="alert">
            {displayMessages.screensRequired}
          </p>
        )}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label="Seconds for each page"
          value={settings.seconds}
          bounds={DISPLAY_BOUNDS.seconds}
          onChange={(seconds) => set({ seconds })}
        />
        <SelectField
          label="Screen rotation"
          value={String(settings.turn)}
          onChange={({ target }) => set({ turn: TURNS.find((turn) => String(turn) === target.value) ?? 0 })}
        >
          <Options values={TURNS} labels={TURN_LABELS} />
        </SelectField>
        <NumberField
          label="Viewing distance, in metres"
          value={settings.distance}
          bounds={DISPLAY_BOUNDS.distance}
          onChange={(distance) => set({ distance })}
        />
        <NumberField
          label="Edge that the screen cuts off, in %"
          value={settings.overscan}
          bounds={DISPLAY_BOUNDS.overscan}
          onChange={(overscan) => set({ overscan })}
        />
        <SelectField
          label="Dimmed from"
          value={settings.dim === null ? '' : String(settings.dim.from)}
          onChange={({ target }) =>
            set({
              dim: target.value === '' ? null : { from: Number(target.value), to: settings.dim?.to ?? 7 },
            })
          }
        >
          <option value="">Never</option>
          {HOURS.map((hour) => (
            <option key={hour} value={hour}>
              {hourText(hour)}
            </option>
          ))}
        </SelectField>
        {settings.dim !== null && (
          <SelectField
            label="Dimmed until"
            value={String(settings.dim.to)}
            onChange={({ target }) =>
              set({ dim: { from: settings.dim?.from ?? 20, to: Number(target.value) } })
            }
          >
            {HOURS.map((hour) => (
              <option key={hour} value={hour}>
                {hourText(hour)}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      <CheckField
        label="Chime for a new critical issue, every two minutes until someone responds"
        checked={settings.chime}
        onChange={(on) => set({ chime: on })}
      />
    </fieldset>
  );
}

/** Field for a whole number; ignores other input. Shows an error for a number out of bounds; the form's schema refuses it. */
function NumberField({
  onChange,
  value,
  bounds: { min, max },
  ...rest
}: {
  label: string;
  value: number;
  bounds: { min: number; max: number };
  onChange: (value: number) => void;
}) {
  return (
    <TextField
      type="number"
      inputMode="numeric"
      step={1}
      min={min}
      max={max}
      error={value < min || value > max ? displayMessages.between(min, max) : undefined}
      value={String(value)}
      onChange={({ target }) => {
        const typed = Number(target.value);
        if (Number.isInteger(typed)) onChange(typed);
      }}
      {...rest}
    />
  );
}
