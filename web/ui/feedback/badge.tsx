import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

export type Tone = 'neutral' | 'brand' | 'ok' | 'due' | 'bad' | 'info';

const tones: Record<Tone, string> = {
  neutral: 'bg-mute text-ink-2',
  brand: 'bg-brand-soft text-brand',
  ok: 'bg-ok-soft text-ok',
  due: 'bg-due-soft text-due',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
};

/** A state in a word, optionally with an icon: never shown by colour alone. */
export function Badge({
  tone = 'neutral',
  icon,
  size = 'sm',
  wraps = false,
  children,
}: {
  tone?: Tone | undefined;
  icon?: ReactNode | undefined;
  size?: 'sm' | 'lg' | undefined;
  /** For names, which may be wider than the screen. */
  wraps?: boolean | undefined;
  children: ReactNode;
}) {
  return (
    <span
      className={cx(
        'inline-flex items-center rounded-tag font-semibold',
        wraps ? 'min-w-0 [overflow-wrap:anywhere]' : 'whitespace-nowrap',
        size === 'sm' ? 'gap-1 px-[7px] py-0.5 text-xs' : 'gap-1.5 px-[9px] py-1 text-[12.5px]',
        tones[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}
