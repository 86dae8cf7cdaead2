import { type ComponentProps, useId } from 'react';
import { cx } from '../cx.ts';
import { controlStyle, describedBy, Field, type FieldProps } from './field.tsx';

type Props = ComponentProps<'textarea'> & FieldProps;

export function TextArea({ label, hideLabel = false, error, hint, id, className, rows = 4, ...rest }: Props) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  return (
    <Field id={fieldId} label={label} hideLabel={hideLabel} error={error} hint={hint}>
      <textarea
        id={fieldId}
        rows={rows}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(fieldId, { error, hint })}
        className={cx(controlStyle, 'min-h-20 resize-y py-2', className)}
        {...rest}
      />
    </Field>
  );
}
