import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cx } from '../cx.ts';

/** The box of a field whose label is inside the box: half as high as a label above a control, for phones. */
export const insetBox =
  'flex min-h-[62px] w-full items-center gap-3 rounded-panel border border-line bg-surface px-3.5 py-2 text-left transition-colors';

/** The border of such a box while it is invalid. */
export const insetWrong = 'border-bad';

type Props = {
  label: string;
  error?: string | undefined;
  hint?: ReactNode | undefined;
  icon?: ReactNode | undefined;
  /** Draws the control with the given id and aria attributes. */
  children: (control: {
    id: string;
    'aria-invalid': true | undefined;
    'aria-describedby': string | undefined;
  }) => ReactNode;
};

/** A label and a control in one box that reacts to a press anywhere, with hint and error below. */
export function InsetField({ label, error, hint, icon, children }: Props) {
  const id = useId();
  const about = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean);
  return (
    <div className="min-w-0">
      <label
        htmlFor={id}
        className={cx(
          insetBox,
          'has-focus-visible:outline-2 has-focus-visible:outline-brand has-focus-visible:outline-offset-2',
          error !== undefined && insetWrong,
        )}
      >
        {icon}
        <span className="grid min-w-0 flex-1">
          <span className="text-ink-3 text-xs">{label}</span>
          {children({
            id,
            'aria-invalid': error === undefined ? undefined : true,
            'aria-describedby': about.length === 0 ? undefined : about.join(' '),
          })}
        </span>
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1.5 px-1 text-ink-2 text-sm">
          {hint}
        </p>
      )}
      <InsetError id={`${id}-error`} error={error} />
    </div>
  );
}

/** The error under an invalid control. */
export function InsetError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p id={id} className="mt-1.5 flex items-start gap-1.5 px-1 text-bad text-sm">
      <CircleAlert size={15} className="mt-px" aria-hidden />
      {error}
    </p>
  );
}

/** A control without a border of its own, for use inside the box. */
export const insetControl =
  'block w-full min-w-0 bg-transparent font-medium text-ink text-md outline-none placeholder:text-ink-3 placeholder:font-normal';
