import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

/** A plain surface with a border. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={cx('rounded-card border border-line bg-surface', className)} {...rest} />;
}
