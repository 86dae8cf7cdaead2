import type { FormPart } from '../../forms/use-command-form.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';

type Props = { form: FormPart<{ name: string; address: string }>; addressLabel: string };

/** Name and address of a building. */
export function BuildingFields({ form, addressLabel }: Props) {
  return (
    <>
      <TextField label="Building Name" autoComplete="off" {...form.text('name')} />
      <TextArea label={addressLabel} rows={3} {...form.text('address')} />
    </>
  );
}
