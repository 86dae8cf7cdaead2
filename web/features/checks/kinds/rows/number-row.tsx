import { cx } from '../../../../ui/cx.ts';
import { InsetError } from '../../../../ui/fields/inset-field.tsx';

type Props = {
  id: string;
  label: string;
  /** Name of the subject, appended to the label for screen readers. */
  about: string;
  suffix: string;
  value: string;
  onChange: (text: string) => void;
  error?: string | undefined;
  /** Label of the Enter key on the on-screen keyboard. */
  enterKeyHint?: 'next' | 'done' | undefined;
};

/** Number field with label and unit, using the numeric keyboard. */
export function NumberRow({
  id,
  label,
  about,
  suffix,
  value,
  onChange,
  error,
  enterKeyHint = 'next',
}: Props) {
  return (
    <div className="mt-2.5">
      <div className="flex items-center gap-3">
        <label htmlFor={id} className="flex-1 text-base text-ink-2">
          {label}
          <span className="sr-only"> of {about}</span>
        </label>
        <span
          className={cx(
            'flex h-12 w-32 items-center gap-1.5 rounded-panel border bg-surface px-3 has-focus-visible:outline-2 has-focus-visible:outline-brand',
            error === undefined ? 'border-edge' : 'border-bad',
          )}
        >
          <input
            id={id}
            type="text"
            inputMode="decimal"
            enterKeyHint={enterKeyHint}
            autoComplete="off"
            value={value}
            aria-invalid={error !== undefined || undefined}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
            onChange={(event) => onChange(event.target.value)}
            className="w-full min-w-0 bg-transparent text-right font-semibold text-lg tabular-nums outline-none"
          />
          <span className="text-ink-3 text-sm" aria-hidden>
            {suffix}
          </span>
        </span>
      </div>
      <InsetError id={`${id}-error`} error={error} />
    </div>
  );
}
