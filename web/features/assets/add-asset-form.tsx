import { useState } from 'react';
import { effectiveType } from '#shared/features/assets/asset-types.ts';
import type { Asset } from '#shared/features/assets/assets.ts';
import {
  ASSET_DEFAULTS,
  ASSET_FREQUENCIES,
  ASSET_FREQUENCY_LABELS,
  ASSET_TYPE_LABELS,
  ASSET_TYPES,
  type AssetType,
  DEFAULT_OUTLET_KIND,
  OUTLET_KIND_LABELS,
  OUTLET_KINDS,
  type OutletKind,
} from '#shared/features/assets/assets.vocabulary.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { useCommandForm } from '../../forms/use-command-form.ts';
import { presentDay } from '../../lib/time/present-time.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { wireErrorOf } from '../../lib/trpc/wire-error.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';
import { NotSentError, StoppedError } from '../../live/stream/wire-error.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { toastError } from '../../ui/feedback/toast.ts';
import { Options, SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { BuildingPicker } from '../locations/pickers/building-picker.tsx';
import { PickerField } from '../locations/pickers/picker-field.tsx';
import { FloorSelect } from './floor-select.tsx';

export type AddedAsset = { id: string; buildingId: string; floorId: string | null };
type Props = {
  /** Building and floor of the table's filter, as default for the new asset. */
  buildingId: string | null;
  floorId: string | null;
  onAdded: (asset: AddedAsset) => void;
};

type Blank = Pick<Asset, 'name' | 'description' | 'roomName' | 'type' | 'frequency'> & {
  outletKind: OutletKind;
  quantity: string;
  lastVisitDate: string | null;
};
const blank = (): Blank => ({
  name: '',
  description: '',
  roomName: '',
  type: ASSET_DEFAULTS.type,
  outletKind: DEFAULT_OUTLET_KIND,
  quantity: String(ASSET_DEFAULTS.quantity),
  lastVisitDate: presentDay(),
  frequency: ASSET_DEFAULTS.frequency,
});

/** Form that adds an asset to one of the person's buildings. */
export function AddAssetForm({ buildingId, floorId, onAdded }: Props) {
  const { mutate } = useLiveMutation();
  // Undefined while the place follows the table's filter.
  const [place, setPlace] = useState<{ buildingId: string | null; floorId: string | null }>();
  const at = place ?? { buildingId, floorId };
  const form = useCommandForm({
    blank: { ...blank(), ...at },
    schema: async () =>
      (await import('#shared/features/assets/assets.ts')).createAssetInput.omit({ operationId: true }),
    input: (values) => ({
      ...values,
      id: uuidv7(),
      buildingId: at.buildingId ?? '',
      outletKind: isOutlet(values) ? values.outletKind : null,
      quantity: values.quantity.trim() === '' ? Number.NaN : Number(values.quantity),
    }),
    send: (input) =>
      mutate({ input, send: (whole, { signal }) => api.assets.create.mutate(whole, { signal }) }),
    about: (_answer, { name }) => name,
    success: assetMessages.added,
    failure: sayAddFailure,
    onSent({ id }, input) {
      onAdded({ id, buildingId: input.buildingId, floorId: input.floorId });
      form.ref.current?.querySelector<HTMLElement>('input')?.focus();
    },
  });

  return (
    <CommandForm form={form}>
      <div className="grid gap-x-4 gap-y-3.5 sm:grid-cols-2 lg:grid-cols-4 xl:grid-cols-6">
        <TextField label="Asset Name" autoComplete="off" {...form.text('name')} />
        <div className="sm:col-span-1 lg:col-span-2">
          <TextField label="Description" autoComplete="off" {...form.text('description')} />
        </div>
        <PickerField label="Building" error={form.errors['buildingId']}>
          <BuildingPicker
            block
            value={at.buildingId ?? undefined}
            onChange={(id) => setPlace({ buildingId: id, floorId: null })}
          />
        </PickerField>
        <FloorSelect
          label="Floor"
          none="No floor"
          buildingId={at.buildingId ?? undefined}
          value={at.floorId}
          onChange={(id) => setPlace({ ...at, floorId: id })}
          error={form.errors['floorId']}
        />
        <TextField
          label="Room"
          autoComplete="off"
          placeholder={ASSET_DEFAULTS.roomName}
          {...form.text('roomName')}
        />
        <SelectField label="Type" {...form.choice('type', ASSET_TYPES)}>
          <Options values={ASSET_TYPES} labels={ASSET_TYPE_LABELS} />
        </SelectField>
        {isOutlet(form.values) && (
          <SelectField label="Outlet Kind" {...form.choice('outletKind', OUTLET_KINDS)}>
            <Options values={OUTLET_KINDS} labels={OUTLET_KIND_LABELS} />
          </SelectField>
        )}
        <TextField
          label="Quantity"
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          {...form.text('quantity')}
        />
        <TextField label="Last Visit" type="date" {...form.optional('lastVisitDate')} />
        <SelectField label="Frequency" {...form.choice('frequency', ASSET_FREQUENCIES)}>
          <Options values={ASSET_FREQUENCIES} labels={ASSET_FREQUENCY_LABELS} />
        </SelectField>
        <div className="flex items-start sm:pt-[26px]">
          <Button type="submit" variant="primary" className="max-sm:w-full">
            {form.busy ? 'Adding...' : 'Add Asset'}
          </Button>
        </div>
      </div>
    </CommandForm>
  );
}

function isOutlet(values: { name: string; type: AssetType }): boolean {
  return effectiveType(values) === 'water_outlet';
}

function sayAddFailure(error: unknown): void {
  // After signing out no message is needed.
  if (error instanceof StoppedError) return;
  const why =
    error instanceof NotSentError
      ? messages.common.offline
      : wireErrorOf(error)?.code === 'unauthenticated'
        ? assetMessages.mustBeSignedIn
        : wireErrorOf(error)?.code === 'not_found'
          ? messages.common.notFound
          : messageFor(error, messages.common.invalid);
  toastError(assetMessages.addFailed(why));
}
