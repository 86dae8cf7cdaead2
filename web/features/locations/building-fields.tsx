import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';

type Props = {
  name: string;
  onName: (name: string) => void;
  address: string;
  onAddress: (address: string) => void;
  addressLabel: string;
  /** Error messages by field. */
  wrong: Readonly<Record<string, string>>;
};

/** Name and address of a building. */
export function BuildingFields({ name, onName, address, onAddress, addressLabel, wrong }: Props) {
  return (
    <>
      <TextField
        label="Building Name"
        value={name}
        onChange={(event) => onName(event.target.value)}
        error={wrong['name']}
        maxLength={200}
        autoComplete="off"
      />
      <TextArea
        label={addressLabel}
        rows={3}
        value={address}
        onChange={(event) => onAddress(event.target.value)}
        error={wrong['address']}
        maxLength={500}
      />
    </>
  );
}
