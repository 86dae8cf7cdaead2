import type { ComponentProps } from 'react';
import { Link } from 'react-router-dom';
import { cx } from '../cx.ts';
import { type ButtonSize, type ButtonVariant, buttonStyle } from './button-style.ts';

type Props = ComponentProps<typeof Link> & { variant?: ButtonVariant; size?: ButtonSize };

/** A link to another screen that looks like a button. */
export function ButtonLink({ variant, size, className, ...rest }: Props) {
  return <Link className={cx(buttonStyle(variant, size), className)} {...rest} />;
}
