import { BLANK_BUILDING } from '#shared/features/locations/building-fields.ts';
import { newBuildingSchema } from '#shared/features/locations/locations.inputs.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ClientPicker } from '../pickers/client-picker.tsx';
import { PickerField } from '../pickers/picker-field.tsx';
import { usePlaceCommands } from '../use-place-commands.ts';
import { BuildingFields } from './building-fields.tsx';
import { FloorFields, floorsIn } from './floor-fields.tsx';

export type AddedBuilding = { id: string; clientId: string; name: string };
type Props = {
  clientId: string | undefined;
  onClient: (id: string) => void;
  /** Also shows the fields for floors, and all fields of the building. */
  withFloors?: boolean;
  onAdded: (building: AddedBuilding) => void;
};
const BLANK = { ...BLANK_BUILDING, floors: '', basement: false };

/** Form that adds a building to an existing client. */
export function AddBuildingForm({ clientId, onClient, withFloors = false, onAdded }: Props) {
  const { addBuilding } = usePlaceCommands();
  const form = useCommandForm({
    blank: { ...BLANK, clientId: clientId ?? '' },
    schema: newBuildingSchema,
    input: (values) => ({ ...values, floors: floorsIn(values.floors) }),
    send: addBuilding,
    about: (_answer, { name }) => name,
    success: placeMessages.buildingAdded,
    failure: placeMessages.buildingAddFailed,
    onSent: ({ id, clientId }, { name }) => onAdded({ id, clientId, name }),
  });
  return (
    <CommandForm form={form} className="grid gap-4">
      <PickerField label="Client" error={form.errors['clientId']}>
        <ClientPicker value={clientId} onChange={onClient} />
      </PickerField>
      <BuildingFields form={form} short={!withFloors} />
      {withFloors && <FloorFields form={form} hint="Leave empty to add floors later." />}
      <Button type="submit" variant="primary">
        {form.busy ? 'Adding...' : 'Add Building'}
      </Button>
    </CommandForm>
  );
}
