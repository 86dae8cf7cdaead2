import { ChevronDown } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { cx } from '../cx.ts';
import { controlStyle, describedBy, Field, type FieldProps } from './field.tsx';

type Props = ComponentProps<'select'> & FieldProps;

/** The browser's own select: best on a phone, and no extra code. Pass `<option>`s or `<Options>` as children. */
export function SelectField({ label, hideLabel = false, error, hint, id, className, ...rest }: Props) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  return (
    <Field id={fieldId} label={label} hideLabel={hideLabel} error={error} hint={hint}>
      <div className="relative">
        <select
          id={fieldId}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={describedBy(fieldId, { error, hint })}
          className={cx(controlStyle, 'h-9 appearance-none truncate pr-9 pointer-coarse:h-12', className)}
          {...rest}
        />
        <ChevronDown
          size={16}
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-3"
        />
      </div>
    </Field>
  );
}

/** An option for each value of a vocabulary, in its order. */
export function Options<Value extends string | number>({
  values,
  labels,
}: {
  values: readonly Value[];
  labels: Readonly<Record<Value, string>>;
}) {
  return values.map((value) => (
    <option key={value} value={value}>
      {labels[value]}
    </option>
  ));
}
