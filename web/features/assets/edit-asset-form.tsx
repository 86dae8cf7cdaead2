import { formatDay } from '#shared/dates.ts';
import { effectiveType } from '#shared/features/assets/asset-types.ts';
import { type Asset, type AssetEdit, updateAssetInput } from '#shared/features/assets/assets.ts';
import {
  ASSET_FREQUENCIES,
  ASSET_FREQUENCY_LABELS,
  ASSET_TYPE_LABELS,
  ASSET_TYPES,
  OUTLET_KIND_LABELS,
  OUTLET_KINDS,
} from '#shared/features/assets/assets.vocabulary.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { conflictHint } from '../../forms/conflict-hint.tsx';
import { FormActions } from '../../forms/form-actions.tsx';
import { useRowForm } from '../../forms/use-row-form.ts';
import { Options, SelectField } from '../../ui/fields/select-field.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { FloorSelect } from './floor-select.tsx';
import { useAssetCommands } from './use-asset-commands.ts';

const schema = updateAssetInput.omit({ operationId: true });
type Props = { asset: Asset; onClose: () => void };

/**
 * Form with an asset's fields. Only changed fields are sent; changes by other people appear in fields not edited here.
 */
export function EditAssetForm({ asset: cached, onClose }: Props) {
  const { update } = useAssetCommands();
  const form = useRowForm({
    row: cached,
    schema,
    input: (changes) => ({ id: cached.id, changes }),
    send: (input, row) => update(row, input.changes),
    about: (_answer, { changes }) => changes.name?.to ?? cached.name,
    success: assetMessages.updated,
    failure: assetMessages.updateFailed,
    onUnchanged: onClose,
    onSent: onClose,
  });
  const { row: asset, values } = form;

  /** Props that every field needs besides its value. */
  function about<F extends keyof AssetEdit>(field: F, words?: (value: Asset[F]) => string) {
    return { disabled: form.busy, hint: conflictHint(form, field, words) };
  }
  const isOutlet = effectiveType(values) === 'water_outlet';

  return (
    <CommandForm form={form} className="grid gap-4">
      <TextField label="Asset Name" {...form.text('name')} {...about('name')} />
      <TextArea label="Description" rows={3} {...form.text('description')} {...about('description')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <FloorSelect
          label="Floor"
          none="No floor"
          buildingId={asset.buildingId}
          value={values.floorId}
          stored={{ id: asset.floorId, name: asset.floorName }}
          onChange={(id) => form.set('floorId', id)}
          error={form.errors['floorId']}
          {...about('floorId', () => asset.floorName ?? 'No floor')}
        />
        <TextField label="Room" {...form.text('roomName')} {...about('roomName')} />
        <SelectField
          label="Type"
          {...form.choice('type', ASSET_TYPES)}
          {...about('type', (type) => ASSET_TYPE_LABELS[type])}
        >
          <Options values={ASSET_TYPES} labels={ASSET_TYPE_LABELS} />
        </SelectField>
        {isOutlet && (
          <SelectField
            label="Outlet Kind"
            {...form.choice('outletKind', OUTLET_KINDS)}
            {...about('outletKind', (kind) => (kind === null ? '' : OUTLET_KIND_LABELS[kind]))}
          >
            <option value="">Not set (checked as cold)</option>
            <Options values={OUTLET_KINDS} labels={OUTLET_KIND_LABELS} />
          </SelectField>
        )}
        <TextField
          label="Quantity"
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          value={Number.isNaN(values.quantity) ? '' : values.quantity}
          onChange={({ target }) =>
            form.set('quantity', target.value === '' ? Number.NaN : Number(target.value))
          }
          error={form.errors['quantity']}
          {...about('quantity')}
        />
        <TextField
          label="Last Visit"
          type="date"
          {...form.optional('lastVisitDate')}
          {...about('lastVisitDate', (day) => (day === null ? 'Never' : formatDay(day)))}
        />
        <SelectField
          label="Frequency"
          {...form.choice('frequency', ASSET_FREQUENCIES)}
          {...about('frequency', (frequency) => ASSET_FREQUENCY_LABELS[frequency])}
        >
          <Options values={ASSET_FREQUENCIES} labels={ASSET_FREQUENCY_LABELS} />
        </SelectField>
      </div>
      <FormActions form={form} action="Save Asset" pending="Saving..." />
    </CommandForm>
  );
}
