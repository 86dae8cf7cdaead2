import { SelectField } from './select-field.tsx';

type Option<Value extends string | null> = { value: Value; label: string };

type Props<Value extends string | null> = {
  /** For screen readers; sighted people see the chosen option. */
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
  /** Its width in a line of filters, such as `sm:w-40`. */
  className?: string;
};

/** A filter with a few choices. The option whose value is null, or otherwise the first option, means that no filter is set. */
export function FilterSelect<Value extends string | null>(props: Props<Value>) {
  const { label, value, options, onChange, className } = props;
  return (
    <div className={className}>
      <SelectField
        label={label}
        hideLabel
        value={value ?? ''}
        onChange={({ target }) => {
          const chosen = options.find((option) => (option.value ?? '') === target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value ?? ''}>
            {option.label}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

/** The options of a vocabulary, in its order. */
export function optionsOf<Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): readonly Option<Value>[] {
  return values.map((value) => ({ value, label: labels[value] }));
}

/** The options of a vocabulary, after an option that means that no filter is set. */
export function optionsWithAll<Value extends string>(
  all: string,
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): readonly Option<Value | null>[] {
  return [{ value: null, label: all }, ...optionsOf(values, labels)];
}
