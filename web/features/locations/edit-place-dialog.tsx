import { floorLabel } from '#shared/features/locations/floors.ts';
import {
  renameClientInput,
  renameFloorInput,
  updateBuildingInput,
} from '#shared/features/locations/locations.inputs.ts';
import type { Building, Client, Floor } from '#shared/features/locations/locations.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { conflictHint } from '../../forms/conflict-hint.tsx';
import { FormActions } from '../../forms/form-actions.tsx';
import { useRowForm } from '../../forms/use-row-form.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { BuildingFields } from './add/building-fields.tsx';
import { usePlaceCommands } from './use-place-commands.ts';

export type EditedPlace =
  | { kind: 'client'; place: Client }
  | { kind: 'building'; place: Building }
  | { kind: 'floor'; place: Floor };
type Props<Place> = { place: Place; onClose: () => void };

const clientSchema = renameClientInput.omit({ operationId: true });
const buildingSchema = updateBuildingInput.omit({ operationId: true });
const floorSchema = renameFloorInput.omit({ operationId: true });

/**
 * Dialog that renames a client or floor, or edits a building's name, address and healthcare flag. Only changed fields
 * are sent.
 */
export default function EditPlaceDialog({ edited, onClose }: { edited: EditedPlace; onClose: () => void }) {
  const title =
    edited.kind === 'building' ? 'Edit Building' : `Rename ${edited.kind === 'client' ? 'Client' : 'Floor'}`;
  return (
    <Dialog open onClose={onClose} title={title} size="sm">
      {edited.kind === 'client' && <ClientForm place={edited.place} onClose={onClose} />}
      {edited.kind === 'building' && <BuildingForm place={edited.place} onClose={onClose} />}
      {edited.kind === 'floor' && <FloorForm place={edited.place} onClose={onClose} />}
    </Dialog>
  );
}

function ClientForm({ place: client, onClose }: Props<Client>) {
  const { renameClient } = usePlaceCommands();
  const form = useRowForm({
    row: client,
    schema: clientSchema,
    input: ({ name }) => ({ id: client.id, name }),
    send: (input, row) => renameClient(row, input),
    about: (_answer, { name }) => name.to,
    success: placeMessages.clientRenamed,
    failure: placeMessages.clientRenameFailed,
    onUnchanged: onClose,
    onSent: onClose,
  });
  return (
    <CommandForm form={form} className="grid gap-4">
      <TextField
        label="Client Name"
        autoFocus
        disabled={form.busy}
        hint={conflictHint(form, 'name')}
        {...form.text('name')}
      />
      <FormActions form={form} action="Save" pending="Saving..." />
    </CommandForm>
  );
}

function BuildingForm({ place: building, onClose }: Props<Building>) {
  const { updateBuilding } = usePlaceCommands();
  const form = useRowForm({
    row: building,
    schema: buildingSchema,
    input: (changes) => ({ id: building.id, changes }),
    send: (input, row) => updateBuilding(row, input),
    about: (_answer, { changes }) => changes.name?.to ?? building.name,
    success: placeMessages.buildingUpdated,
    failure: placeMessages.buildingUpdateFailed,
    onUnchanged: onClose,
    onSent: onClose,
  });
  return (
    <CommandForm form={form} className="grid gap-4">
      <BuildingFields
        form={form}
        autoFocus
        disabled={form.busy}
        hintOf={(field) =>
          conflictHint(form, field, (value) =>
            value === true ? 'Yes' : value === false ? 'No' : (value ?? ''),
          )
        }
      />
      <FormActions form={form} action="Save" pending="Saving..." />
    </CommandForm>
  );
}

function FloorForm({ place: floor, onClose }: Props<Floor>) {
  const { renameFloor } = usePlaceCommands();
  const form = useRowForm({
    row: floor,
    schema: floorSchema,
    input: ({ name }) => ({ id: floor.id, name }),
    send: renameFloor,
    about: (_answer, { name }) => name.to,
    success: placeMessages.floorRenamed,
    failure: placeMessages.floorRenameFailed,
    onUnchanged: onClose,
    onSent: onClose,
  });
  return (
    <CommandForm form={form} className="grid gap-4">
      <TextField
        label="Floor Name"
        autoFocus
        disabled={form.busy}
        {...form.text('name')}
        hint={conflictHint(form, 'name') ?? `Leave it empty for ${floorLabel(floor.level)}`}
      />
      <FormActions form={form} action="Save" pending="Saving..." />
    </CommandForm>
  );
}
