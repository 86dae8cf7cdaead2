import type { ReactNode } from 'react';
import type { BuildingFields as Fields } from '#shared/features/locations/building-fields.ts';
import {
  BUILDING_DETAILS,
  type BuildingDetail,
} from '#shared/features/locations/building-fields.vocabulary.ts';
import type { FormPart } from '../../../forms/use-command-form.ts';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';

type Name = keyof Fields;
type Props = {
  form: FormPart<Fields>;
  /** Shows the name and the first detail only. */
  short?: boolean;
  /** Another label of the address. */
  addressLabel?: string;
  autoFocus?: boolean;
  disabled?: boolean;
  hintOf?: (field: Name) => ReactNode;
};

/** The fields of a building, as `building-fields.ts` in `shared` lists them. */
export function BuildingFields({ form, short = false, addressLabel, autoFocus, disabled, hintOf }: Props) {
  const details = short ? BUILDING_DETAILS.slice(0, 1) : BUILDING_DETAILS;
  return (
    <>
      <TextField
        label="Building Name"
        autoComplete="off"
        autoFocus={autoFocus}
        disabled={disabled}
        hint={hintOf?.('name')}
        {...form.text('name')}
      />
      {details.map((detail) => (
        <DetailField
          key={detail.field}
          detail={detail}
          form={form}
          label={detail.field === 'address' ? (addressLabel ?? detail.label) : detail.label}
          disabled={disabled}
          hint={hintOf?.(detail.field)}
        />
      ))}
    </>
  );
}

type DetailProps = {
  detail: BuildingDetail;
  form: FormPart<Fields>;
  label: string;
  disabled: boolean | undefined;
  hint: ReactNode;
};

function DetailField({ detail, form, label, disabled, hint }: DetailProps) {
  if (detail.control === 'yes-no') {
    return (
      <>
        <label className="flex items-start gap-2.5 py-1.5 pointer-coarse:min-h-12">
          <input
            type="checkbox"
            checked={form.values[detail.field]}
            onChange={(event) => form.set(detail.field, event.target.checked)}
            disabled={disabled}
            className="mt-0.5 size-4 shrink-0 accent-brand pointer-coarse:size-6"
          />
          <span>
            {label}
            <span className="block text-ink-2 text-sm">{detail.help}</span>
          </span>
        </label>
        {hint}
      </>
    );
  }
  const field = { label, disabled, hint, ...form.optional(detail.field) };
  return isOneLine(detail) ? <TextField {...field} /> : <TextArea rows={3} {...field} />;
}

function isOneLine({ control }: { control: string }): boolean {
  return control === 'text';
}
