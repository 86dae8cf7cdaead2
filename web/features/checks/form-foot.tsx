import { Check } from 'lucide-react';
import type { LogKind } from '#shared/features/checks/incidents.words.ts';
import type { CheckDraft } from './check-draft.ts';
import type { CheckRow } from './row-props.ts';
import { SaveState } from './save-state.tsx';
import { TimerButton } from './timer-button.tsx';
import type { useCheckDraft } from './use-check-draft.ts';

type Props = {
  kind: LogKind;
  form: ReturnType<typeof useCheckDraft>;
  /** Of when the copy of the site is that the form shows. */
  keptAt: string | undefined;
  rows: readonly CheckRow[];
  /** The row that has the focus. */
  active: string | undefined;
  /** What the main action says. */
  action: string;
  disabled: boolean;
  onSubmit: () => void;
};

/** What little-used outlets run at least. */
const FLUSH_MINUTES = 2;

/** Under every form: whether what was typed is safe, the timer for the water, and the main action. */
export function FormFoot({ kind, form, keptAt, rows, active, action, disabled, onSubmit }: Props) {
  return (
    <>
      <SaveState draft={form} keptAt={keptAt} />
      <div className="flex gap-2.5">
        {kind === 'water_temperature_check' && <TimerButton minutes={minutesOf(rows, active, form.draft)} />}
        {kind === 'outlet_flushing' && <TimerButton minutes={FLUSH_MINUTES} />}
        <button
          type="button"
          disabled={disabled}
          onClick={onSubmit}
          className="flex h-[54px] min-w-0 flex-1 touch-manipulation items-center justify-center gap-2.5 rounded-[13px] bg-brand px-4 font-semibold text-[17px] text-on-brand transition-colors enabled:hover:bg-brand-strong disabled:opacity-55"
        >
          <Check size={20} aria-hidden />
          <span className="truncate">{action}</span>
        </button>
      </div>
    </>
  );
}

/** How long the outlet that is being measured runs first; before any is touched, the next one. */
function minutesOf(rows: readonly CheckRow[], active: string | undefined, draft: CheckDraft): number {
  const row =
    rows.find(({ id }) => id === active) ??
    rows.find(({ id }) => draft.entries[id]?.['temperatureCelsius'] === undefined);
  return row?.runMinutes ?? rows[0]?.runMinutes ?? 2;
}
