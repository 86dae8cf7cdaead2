import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

type Props = Omit<ComponentProps<'button'>, 'aria-label' | 'title'> & {
  /** What it does: its name for everybody who cannot see the icon, and its tip for those who can. */
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
