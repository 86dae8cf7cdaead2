import type { ComponentProps } from 'react';
import { cx } from '../cx.ts';
import { type ButtonSize, type ButtonVariant, buttonStyle } from './button-style.ts';

type Props = ComponentProps<'button'> & { variant?: ButtonVariant; size?: ButtonSize };

export function Button({ variant, size, className, type = 'button', ...rest }: Props) {
  return <button type={type} className={cx(buttonStyle(variant, size), className)} {...rest} />;
}
