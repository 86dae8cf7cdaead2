import { useState } from 'react';
import { messages } from '#shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { BuildingFields } from './building-fields.tsx';
import { ClientPicker } from './client-picker.tsx';
import { FloorFields } from './floor-fields.tsx';
import { PickerField } from './picker-field.tsx';
import { sayDone } from './say.ts';
import { usePlaceCommands } from './use-place-commands.ts';
import { useSubmit } from './use-submit.ts';

export type AddedBuilding = { id: string; clientId: string; name: string };
type Props = {
  clientId: string | undefined;
  onClient: (id: string) => void;
  /** Also asks for floors. */
  withFloors?: boolean;
  onAdded: (building: AddedBuilding) => void;
};

/** Adds a building to a client of the list. */
export function AddBuildingForm({ clientId, onClient, withFloors = false, onAdded }: Props) {
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const [floors, setFloors] = useState('');
  const [basement, setBasement] = useState(false);
  const { addBuilding } = usePlaceCommands();
  const { form, wrong, busy, onSubmit } = useSubmit(messages.locations.buildingAddFailed, async () => {
    const wanted = floors.trim() === '' ? {} : { floors: Number(floors) };
    const answer = await addBuilding({ clientId: clientId ?? '', name, address, basement, ...wanted });
    setName('');
    setAddress('');
    setFloors('');
    setBasement(false);
    sayDone(messages.locations.buildingAdded);
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
