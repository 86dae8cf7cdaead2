import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

type Tone = 'ok' | 'bad' | 'neutral';
export type Choice<V extends string> = { value: V; label: string; icon: ReactNode; tone: Tone };

type Props<V extends string> = {
  /** The group's accessible name. */
  label: string;
  choices: readonly Choice<V>[];
  /** Undefined until a choice is made: there is no default. */
  value: V | undefined;
  onChange: (value: V) => void;
  /** `large` for the main result of a form. */
  size?: 'row' | 'large' | undefined;
  invalid?: boolean | undefined;
  describedBy?: string | undefined;
};

const on: Record<Tone, string> = {
  ok: 'border-ok bg-ok text-on-brand',
  bad: 'border-bad bg-bad text-on-bad',
  neutral: 'border-ink-2 bg-mute text-ink',
};
const off: Record<Tone, string> = {
  ok: 'border-edge bg-surface text-ink hover:bg-ok-soft',
  bad: 'border-edge bg-surface text-ink hover:bg-bad-soft',
  neutral: 'border-edge bg-surface text-ink hover:bg-mute',
};

/** A choice of few options for gloved thumbs: large buttons with words, none preselected. */
export function ChoiceButtons<V extends string>(props: Props<V>) {
  const { label, choices, value, onChange, size = 'row', invalid = false } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex container in every browser
    <div
      role="group"
      aria-label={label}
      aria-describedby={props.describedBy}
      data-invalid={invalid || undefined}
      data-one-answer
      className={cx('flex', size === 'large' ? 'gap-2.5' : 'gap-2')}
    >
      {choices.map((choice) => {
        const chosen = choice.value === value;
        return (
          <button
            key={choice.value}
            type="button"
            aria-pressed={chosen}
            onClick={() => onChange(choice.value)}
            className={cx(
              'flex min-w-0 flex-1 touch-manipulation items-center justify-center gap-2 border-[1.5px] font-semibold transition-colors',
              size === 'large'
                ? 'min-h-16 rounded-phone text-lg'
                : 'min-h-[52px] rounded-panel px-1 text-md leading-tight',
              // Three words side by side on a narrow phone leave no room for icons.
              size === 'row' && choices.length > 2 && 'max-[430px]:text-[15px] max-[430px]:[&_svg]:hidden',
              size === 'row' && 'max-[375px]:text-[15px] max-[375px]:[&_svg]:hidden',
              chosen ? on[choice.tone] : off[choice.tone],
              invalid && !chosen && 'border-bad',
            )}
          >
            {choice.icon}
            {choice.label}
          </button>
        );
      })}
    </div>
  );
}
