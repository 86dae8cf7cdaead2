import { addFloorsInput } from '#shared/features/locations/locations.inputs.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { BuildingPicker } from '../pickers/building-picker.tsx';
import { PickerField } from '../pickers/picker-field.tsx';
import { usePlaceCommands } from '../use-place-commands.ts';
import { FloorFields, floorsIn } from './floor-fields.tsx';

type Props = {
  buildingId: string | undefined;
  onBuilding: (id: string) => void;
  onAdded: (buildingId: string) => void;
};
const schema = addFloorsInput.omit({ operationId: true });

/** Form that adds floors to a building; floors that it already has are skipped. */
export function AddFloorsForm({ buildingId, onBuilding, onAdded }: Props) {
  const { addFloors } = usePlaceCommands();
  const form = useCommandForm({
    blank: { buildingId: buildingId ?? '', floors: '', basement: false },
    schema,
    input: (values) => ({ ...values, floors: floorsIn(values.floors) ?? Number.NaN }),
    send: addFloors,
    success: ({ added }) => (added === 0 ? undefined : placeMessages.floorsAdded(added)),
    failure: placeMessages.floorsAddFailed,
    onSent({ id, added }) {
      if (added === 0) toast({ title: placeMessages.floorsExist, tone: 'info' });
      onAdded(id);
    },
  });
  return (
    <CommandForm form={form} className="grid gap-4">
      <PickerField label="Building" error={form.errors['buildingId']}>
        <BuildingPicker block value={buildingId} onChange={onBuilding} />
      </PickerField>
      <FloorFields form={form} />
      <Button type="submit" variant="primary">
        {form.busy ? 'Adding...' : 'Add Floors'}
      </Button>
    </CommandForm>
  );
}
