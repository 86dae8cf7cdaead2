import { Minus, Plus } from 'lucide-react';
import type { Ref } from 'react';
import { usePressAndHold } from '../buttons/use-press-and-hold.ts';
import { cx } from '../cx.ts';
import { useBufferedInput } from './use-buffered-input.ts';

export type StepperTone = 'plain' | 'ok' | 'bad';

type Props = {
  id: string;
  /** The control's accessible name. */
  label: string;
  /** The typed text, which need not be a number yet. */
  value: string;
  unit: string;
  onChange: (text: string) => void;
  /** One step down or up. */
  onStep: (direction: -1 | 1) => void;
  tone?: StepperTone | undefined;
  invalid?: boolean | undefined;
  describedBy?: string | undefined;
  input?: Ref<HTMLInputElement> | undefined;
  inputMode?: 'decimal' | 'numeric' | undefined;
  /** The label of the Enter key on a phone's keyboard. */
  enterKeyHint?: 'next' | 'done' | undefined;
};

const tones: Record<StepperTone, string> = {
  plain: 'border-edge bg-surface',
  ok: 'border-ok/55 bg-ok-soft/25',
  bad: 'border-bad/55 bg-bad-soft/30',
};
const step =
  'grid size-[52px] shrink-0 touch-manipulation select-none place-items-center rounded-panel border border-line-2 bg-surface text-ink-2 transition-colors hover:bg-mute hover:text-ink';

/** A number field for thumbs: the number is typed on the number pad, or changed in steps, which repeat while a button is held. */
export function StepperField(props: Props) {
  const { id, label, unit, onStep, tone = 'plain', invalid = false } = props;
  const down = usePressAndHold(() => onStep(-1));
  const up = usePressAndHold(() => onStep(1));
  return (
    <div className="flex items-center gap-2.5">
      <button type="button" data-many-taps aria-label={`${label}: lower`} className={step} {...down}>
        <Minus size={22} aria-hidden />
      </button>
      <label
        htmlFor={id}
        className={cx(
          'h-[52px] min-w-0 flex-1 cursor-text rounded-panel border-[1.5px]',
          'has-focus-visible:outline-2 has-focus-visible:outline-brand has-focus-visible:outline-offset-2',
          invalid ? 'border-bad bg-surface' : tones[tone],
        )}
      >
        {/* CSS containment, so that typing does not cause a new layout of a long form. */}
        <span className="block h-full [contain:strict]">
          <span className="flex h-full items-baseline justify-center gap-1.5 px-3 pt-1.5">
            <TypedNumber {...props} />
            <span className="font-medium text-base text-ink-2" aria-hidden>
              {unit}
            </span>
          </span>
        </span>
      </label>
      <button type="button" data-many-taps aria-label={`${label}: higher`} className={step} {...up}>
        <Plus size={22} aria-hidden />
      </button>
    </div>
  );
}

/** A component of its own, so that typing renders only the text. */
function TypedNumber(props: Props) {
  const { shown, change, keyDown, keyUp, leave } = useBufferedInput(props.value, props.onChange);
  return (
    <input
      ref={props.input}
      id={props.id}
      type="text"
      inputMode={props.inputMode ?? 'decimal'}
      enterKeyHint={props.enterKeyHint ?? 'next'}
      autoComplete="off"
      spellCheck={false}
      aria-label={props.label}
      aria-invalid={props.invalid || undefined}
      aria-describedby={props.describedBy}
      placeholder="–"
      value={shown}
      onChange={(event) => change(event.target.value)}
      onKeyDown={keyDown}
      onKeyUp={keyUp}
      onBlur={leave}
      // The input is as wide as its text, so that number and unit are centred together; browsers without `field-sizing`
      // reserve room for the longest number.
      className="field-sizing-content w-[4.5ch] min-w-[1.15ch] max-w-full bg-transparent text-center font-semibold text-[26px] text-ink leading-9 tabular-nums outline-none supports-[field-sizing:content]:w-auto"
    />
  );
}
