import type { ComponentProps } from 'react';
import { cx } from '../cx.ts';

type Props = Omit<ComponentProps<'button'>, 'aria-label' | 'title'> & {
  /** The action: the accessible name of the icon, and its tooltip. */
  label: string;
  bordered?: boolean | undefined;
};

export function IconButton({ label, bordered = false, className, type = 'button', ...rest }: Props) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={cx(
        'inline-grid size-9 shrink-0 place-items-center rounded-control border text-ink-2 transition-colors',
        'enabled:hover:bg-mute enabled:hover:text-ink disabled:opacity-55 pointer-coarse:size-12',
        bordered ? 'border-line-2 bg-surface' : 'border-transparent',
        className,
      )}
      {...rest}
    />
  );
}
