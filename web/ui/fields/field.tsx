import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

export type FieldProps = {
  label: string;
  /** Shows the label to screen readers only, for fields whose meaning is clear from the context. */
  hideLabel?: boolean | undefined;
  error?: string | undefined;
  hint?: ReactNode | undefined;
};

/** The value of a control's `aria-describedby`: the ids of its hint and error. */
export function describedBy(
  id: string,
  { error, hint }: Pick<FieldProps, 'error' | 'hint'>,
): string | undefined {
  const ids = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean);
  return ids.length === 0 ? undefined : ids.join(' ');
}

/** The look shared by all form controls. */
export const controlLook = cx(
  'w-full rounded-control border border-edge bg-surface px-3 text-base text-ink transition-colors',
  'pointer-coarse:text-md disabled:bg-mute disabled:text-ink-2 aria-invalid:border-bad',
);

export const controlStyle = cx('block', controlLook);

/** A label above a control, with hint and error under it. */
export function Field({
  id,
  label,
  hideLabel = false,
  error,
  hint,
  children,
}: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <label
        htmlFor={id}
        className={hideLabel ? 'sr-only' : 'font-medium text-ink text-sm pointer-coarse:text-base'}
      >
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-ink-2 text-sm">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-bad text-sm">
          <CircleAlert size={14} className="mt-0.5" aria-hidden />
          {error}
        </p>
      )}
    </div>
  );
}
