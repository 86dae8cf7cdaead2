import { cx } from '../cx.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

const variants: Record<ButtonVariant, string> = {
  primary:
    'border-brand bg-brand text-on-brand enabled:hover:border-brand-strong enabled:hover:bg-brand-strong',
  secondary: 'border-line-2 bg-surface text-ink enabled:hover:bg-mute',
  quiet: 'border-transparent bg-transparent text-ink-2 enabled:hover:bg-mute enabled:hover:text-ink',
  danger: 'border-bad bg-bad text-on-bad enabled:hover:border-bad-strong enabled:hover:bg-bad-strong',
};

const sizes: Record<ButtonSize, string> = {
  sm: 'h-[30px] px-2.5 text-sm',
  md: 'h-9 px-3.5 text-base',
  lg: 'h-12 px-5 text-md',
};

/** The classes of a button, for any element. On touch screens it is at least 48 px high. */
export function buttonStyle(variant: ButtonVariant = 'secondary', size: ButtonSize = 'md'): string {
  return cx(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-control border font-medium whitespace-nowrap transition-colors',
    'disabled:opacity-55 pointer-coarse:h-12 pointer-coarse:px-4 pointer-coarse:text-md',
    sizes[size],
    // A link is never `:enabled`, so its hover styles are repeated without it.
    variants[variant],
    variants[variant].replaceAll('enabled:hover:', '[a&]:hover:'),
  );
}
