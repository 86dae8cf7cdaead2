import type { Control } from '#shared/features/checks/definition.ts';
import { SelectField } from '../../../../ui/fields/select-field.tsx';
import { TextArea } from '../../../../ui/fields/text-area.tsx';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import type { AmendField, Draft } from './amendment.ts';

type Props = {
  fields: readonly AmendField[];
  draft: Draft;
  onChange: (field: string, to: string) => void;
  errors: Readonly<Record<string, string>>;
};

const CHOICES: Readonly<Partial<Record<Control, Readonly<Record<string, string>>>>> = {
  'pass-fail': { yes: 'Pass', no: 'Fail' },
  'pass-fail-untested': { yes: 'Pass', no: 'Fail', '': 'Not tested' },
  tick: { yes: 'Yes', no: 'No' },
};

/** Fields of an entry of any kind, as an amendment can change them. */
export function AmendFields({ fields, draft, onChange, errors }: Props) {
  return fields.map(({ name, label, control, suffix, options }) => {
    const shared = {
      label: suffix === undefined ? label : `${label}, ${suffix}`,
      value: draft[name] ?? '',
      error: errors[name],
    };
    const onText = (event: { target: { value: string } }) => onChange(name, event.target.value);
    const choices = options ?? CHOICES[control];
    if (choices !== undefined) {
      return (
        <SelectField key={name} {...shared} onChange={onText}>
          {Object.entries(choices).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
      );
    }
    if (control === 'notes' || control === 'paragraph')
      return <TextArea key={name} rows={2} {...shared} onChange={onText} />;
    return (
      <TextField
        key={name}
        {...shared}
        type={control === 'time' ? 'time' : 'text'}
        inputMode={control === 'number' ? 'decimal' : 'text'}
        onChange={onText}
      />
    );
  });
}
