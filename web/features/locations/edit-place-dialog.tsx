import { type FormEvent, useRef, useState } from 'react';
import type { Building, Client, Floor } from '#shared/features/locations.ts';
import { floorLabel } from '#shared/floors.ts';
import { messages } from '#shared/messages.ts';
import { fieldErrorsOf, isShownAtFields } from '../../lib/message-for.ts';
import { useFocusFirstError } from '../../lib/use-focus-first-error.ts';
import { useMounted } from '../../lib/use-mounted.ts';
import { Button } from '../../ui/button.tsx';
import { CancelButton } from '../../ui/cancel-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { HealthcareField } from './healthcare-field.tsx';
import { toastFailure, toastSuccess } from './toasts.ts';
import { usePlaceCommands } from './use-place-commands.ts';

export type EditedPlace =
  | { kind: 'client'; place: Client }
  | { kind: 'building'; place: Building }
  | { kind: 'floor'; place: Floor };
const WORDS = {
  client: {
    title: 'Rename Client',
    label: 'Client Name',
    done: messages.locations.clientRenamed,
    failed: messages.locations.clientRenameFailed,
  },
  building: {
    title: 'Edit Building',
    label: 'Building Name',
    done: messages.locations.buildingUpdated,
    failed: messages.locations.buildingUpdateFailed,
  },
  floor: {
    title: 'Rename Floor',
    label: 'Floor Name',
    done: messages.locations.floorRenamed,
    failed: messages.locations.floorRenameFailed,
  },
} as const;

type Props = { edited: EditedPlace; onClose: () => void };

/**
 * Dialog that renames a client or floor, or edits a building's name, address and healthcare flag. Only changed fields
 * are sent.
 */
export default function EditPlaceDialog({ edited, onClose }: Props) {
  const { kind, place } = edited;
  const words = WORDS[kind];
  const [name, setName] = useState(place.name);
  const address0 = edited.kind === 'building' ? (edited.place.address ?? '') : '';
  const [address, setAddress] = useState(address0);
  const healthcare0 = edited.kind === 'building' && edited.place.isHealthcare;
  const [isHealthcare, setIsHealthcare] = useState(healthcare0);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const mounted = useMounted();
  const { renameClient, updateBuilding, renameFloor } = usePlaceCommands();
  useFocusFirstError(form, wrong, busy);
  const dirty = name.trim() !== place.name || address.trim() !== address0 || isHealthcare !== healthcare0;

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (!dirty) {
      onClose();
      return;
    }
    setBusy(true);
    setWrong({});
    try {
      if (edited.kind === 'client') await renameClient(edited.place, name.trim());
      else if (edited.kind === 'floor') await renameFloor(edited.place, name.trim());
      else {
        await updateBuilding(edited.place, {
          ...(name.trim() === place.name ? {} : { name: name.trim() }),
          ...(address.trim() === address0 ? {} : { address: address.trim() === '' ? null : address.trim() }),
          ...(isHealthcare === healthcare0 ? {} : { isHealthcare }),
        });
      }
      toastSuccess(words.done);
      // The dialog may have been closed meanwhile, and another opened.
      if (mounted.current) onClose();
    } catch (error) {
      setWrong(fieldErrorsOf(error));
      if (!isShownAtFields(error)) toastFailure(error, words.failed);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog open onClose={onClose} title={words.title} size="sm" dirty={dirty && !busy}>
      <form ref={form} noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-4">
        <TextField
          label={words.label}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={wrong['name.to'] ?? wrong['changes.name.to']}
          maxLength={kind === 'floor' ? 100 : 200}
          hint={edited.kind === 'floor' ? `Leave it empty for ${floorLabel(edited.place.level)}` : undefined}
          disabled={busy}
          autoFocus
        />
        {kind === 'building' && (
          <>
            <TextArea
              label="Address"
              rows={3}
              value={address}
              onChange={(event) => setAddress(event.target.value)}
              error={wrong['changes.address.to']}
              maxLength={500}
              disabled={busy}
            />
            <HealthcareField checked={isHealthcare} onChange={setIsHealthcare} disabled={busy} />
          </>
        )}
        <DialogActions>
          <CancelButton disabled={busy} />
          <Button type="submit" variant="primary" disabled={busy}>
            {busy ? 'Saving...' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
