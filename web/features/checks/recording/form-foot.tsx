import { Check } from 'lucide-react';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { formPartsOf } from '../kinds/form-parts.ts';
import type { CheckRow } from '../kinds/rows/row-props.ts';
import { TimerButton } from '../kinds/rows/timer-button.tsx';
import { SaveState } from './save-state.tsx';
import type { useCheckDraft } from './use-check-draft.ts';

type Props = {
  kind: LogKind;
  form: ReturnType<typeof useCheckDraft>;
  /** When the displayed copy of the site was stored, ISO; undefined for the server's answer. */
  keptAt: string | undefined;
  rows: readonly CheckRow[];
  /** Id of the row that has the focus. */
  active: string | undefined;
  /** Label of the main action. */
  action: string;
  /** Name of the site, shown under the action's label; empty until a site is selected. */
  siteName: string;
  disabled: boolean;
  onSubmit: () => void;
};

/** Footer of every form: save state of the draft, timer and main action. */
export function FormFoot({ kind, form, keptAt, rows, active, action, siteName, disabled, onSubmit }: Props) {
  const minutes = formPartsOf(kind).timerMinutes?.(rows, active, form.draft);
  return (
    <>
      <SaveState draft={form} keptAt={keptAt} />
      <div className="flex gap-2.5">
        {minutes !== undefined && <TimerButton minutes={minutes} />}
        <button
          type="button"
          disabled={disabled}
          onClick={onSubmit}
          className="flex h-[54px] min-w-0 flex-1 touch-manipulation items-center justify-center gap-2.5 rounded-[13px] bg-brand px-4 text-center font-semibold text-[17px] text-on-brand transition-colors enabled:hover:bg-brand-strong disabled:opacity-55"
        >
          <Check size={20} aria-hidden />
          <span className="grid min-w-0">
            <span className="truncate leading-snug">{action}</span>{' '}
            {siteName !== '' && (
              <span className="truncate font-medium text-[13px] leading-snug">{siteName}</span>
            )}
          </span>
        </button>
      </div>
    </>
  );
}
