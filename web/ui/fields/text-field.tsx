import { type ComponentProps, useId } from 'react';
import { cx } from '../cx.ts';
import { controlStyle, describedBy, Field, type FieldProps } from './field.tsx';

type Props = ComponentProps<'input'> & FieldProps;

export function TextField({ label, hideLabel = false, error, hint, id, className, ...rest }: Props) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  return (
    <Field id={fieldId} label={label} hideLabel={hideLabel} error={error} hint={hint}>
      <input
        id={fieldId}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(fieldId, { error, hint })}
        className={cx(controlStyle, 'h-9 pointer-coarse:h-12', className)}
        {...rest}
      />
    </Field>
  );
}
