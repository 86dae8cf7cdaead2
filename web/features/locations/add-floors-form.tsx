import { useState } from 'react';
import { messages } from '#shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { BuildingPicker } from './building-picker.tsx';
import { FloorFields } from './floor-fields.tsx';
import { PickerField } from './picker-field.tsx';
import { toastSuccess } from './toasts.ts';
import { usePlaceCommands } from './use-place-commands.ts';
import { useSubmit } from './use-submit.ts';

type Props = {
  buildingId: string | undefined;
  onBuilding: (id: string) => void;
  onAdded: (buildingId: string) => void;
};

/** Form that adds floors to a building; floors that it already has are skipped. */
export function AddFloorsForm({ buildingId, onBuilding, onAdded }: Props) {
  const [floors, setFloors] = useState('');
  const [basement, setBasement] = useState(false);
  const { addFloors } = usePlaceCommands();
  const { form, wrong, busy, onSubmit } = useSubmit(messages.locations.floorsAddFailed, async () => {
    const wanted = floors.trim() === '' ? Number.NaN : Number(floors);
    const { id, added } = await addFloors({ buildingId: buildingId ?? '', floors: wanted, basement });
    if (added === 0) toast({ title: messages.locations.floorsExist, tone: 'info' });
    else {
      setFloors('');
      setBasement(false);
      toastSuccess(messages.locations.floorsAdded(added));
    }
    onAdded(id);
  });
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
      <PickerField label="Building" error={wrong['buildingId']}>
        <BuildingPicker block value={buildingId} onChange={onBuilding} />
      </PickerField>
      <FloorFields
        floors={floors}
        onFloors={setFloors}
        basement={basement}
        onBasement={setBasement}
        error={wrong['floors']}
      />
      <Button type="submit" variant="primary">
        {busy ? 'Adding...' : 'Add Floors'}
      </Button>
    </form>
  );
}
