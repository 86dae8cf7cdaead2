import { useState } from 'react';
import { messages } from '#shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { BuildingFields } from './building-fields.tsx';
import { ClientPicker } from './client-picker.tsx';
import { FloorFields } from './floor-fields.tsx';
import { HealthcareField } from './healthcare-field.tsx';
import { PickerField } from './picker-field.tsx';
import { toastSuccess } from './toasts.ts';
import { usePlaceCommands } from './use-place-commands.ts';
import { useSubmit } from './use-submit.ts';

export type AddedBuilding = { id: string; clientId: string; name: string };
type Props = {
  clientId: string | undefined;
  onClient: (id: string) => void;
  /** Also shows the fields for floors and healthcare premises. */
  withFloors?: boolean;
  onAdded: (building: AddedBuilding) => void;
};

/** Form that adds a building to an existing client. */
export function AddBuildingForm({ clientId, onClient, withFloors = false, onAdded }: Props) {
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const [isHealthcare, setIsHealthcare] = useState(false);
  const [floors, setFloors] = useState('');
  const [basement, setBasement] = useState(false);
  const { addBuilding } = usePlaceCommands();
  const { form, wrong, busy, onSubmit } = useSubmit(messages.locations.buildingAddFailed, async () => {
    const wanted = floors.trim() === '' ? {} : { floors: Number(floors) };
    const answer = await addBuilding({
      ...{ clientId: clientId ?? '', name, address, isHealthcare, basement },
      ...wanted,
    });
    setName('');
    setAddress('');
    setIsHealthcare(false);
    setFloors('');
    setBasement(false);
    toastSuccess(messages.locations.buildingAdded);
    onAdded({ id: answer.id, clientId: answer.clientId, name: name.trim() });
  });
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
      <PickerField label="Client" error={wrong['clientId']}>
        <ClientPicker value={clientId} onChange={onClient} />
      </PickerField>
      <BuildingFields
        {...{ name, address, wrong }}
        onName={setName}
        onAddress={setAddress}
        addressLabel="Address"
      />
      {withFloors && <HealthcareField checked={isHealthcare} onChange={setIsHealthcare} />}
      {withFloors && (
        <FloorFields
          floors={floors}
          onFloors={setFloors}
          basement={basement}
          onBasement={setBasement}
          error={wrong['floors']}
          hint="Leave empty to add floors later."
        />
      )}
      <Button type="submit" variant="primary">
        {busy ? 'Adding...' : 'Add Building'}
      </Button>
    </form>
  );
}
