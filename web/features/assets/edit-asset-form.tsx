import { formatDay } from '#shared/dates.ts';
import { effectiveType } from '#shared/features/asset-filter.ts';
import {
  type Asset,
  type AssetEdit,
  assetEditSchema,
  type UpdateAssetInput,
} from '#shared/features/assets.ts';
import {
  ASSET_FREQUENCIES,
  ASSET_FREQUENCY_LABELS,
  ASSET_TYPE_LABELS,
  ASSET_TYPES,
  OUTLET_KIND_LABELS,
  OUTLET_KINDS,
} from '#shared/features/assets.vocabulary.ts';
import { assetMessages } from '#shared/features/assets-messages.ts';
import type { FieldEdits } from '#shared/merge-fields.ts';
import { oneOf } from '../../lib/one-of.ts';
import { useRowEdits } from '../../lib/use-row-edits.ts';
import { Button } from '../../ui/button.tsx';
import { CancelButton } from '../../ui/cancel-button.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { FieldConflict } from '../../ui/field-conflict.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toastFailure, toastSuccess } from '../locations/toasts.ts';
import { FloorSelect } from './floor-select.tsx';
import { useAssetCommands } from './use-asset-commands.ts';

const FIELDS = [
  'name',
  'description',
  'type',
  'outletKind',
  'quantity',
  'lastVisitDate',
  'frequency',
  'floorId',
  'roomName',
] as const satisfies readonly (keyof AssetEdit)[];
type Field = (typeof FIELDS)[number];
const changesSchema = assetEditSchema.partial();
type Props = { asset: Asset; onDirty: (dirty: boolean) => void; onClose: () => void };

/**
 * Form with an asset's fields. Only changed fields are sent; changes by other people appear in fields not edited here.
 */
export function EditAssetForm({ asset: cached, onDirty, onClose }: Props) {
  const { update } = useAssetCommands();
  const edits = useRowEdits<AssetEdit, Asset>({
    row: cached,
    fields: FIELDS,
    onDirty,
    onClose,
    check: (wishes) => changesSchema.safeParse(wishes).error?.issues ?? [],
    // The cast: a map over fields keeps each field's own type, which the compiler cannot follow.
    send: (row, changes) => update(row, changes as UpdateAssetInput['changes'], patchOf(changes)),
    onSaved: () => toastSuccess(assetMessages.updated),
    onFailed: (error) => toastFailure(error, assetMessages.updateFailed),
  });
  const { row: asset, saving, value, set } = edits;

  /** Returns the props of a field besides its value. */
  function about(field: Field, theirs: string) {
    return {
      error: edits.wrong[field],
      disabled: saving,
      hint: edits.contested(field) ? (
        <FieldConflict
          theirs={theirs}
          onKeep={() => edits.keepMine(field)}
          onTake={() => edits.takeTheirs(field)}
        />
      ) : undefined,
    };
  }
  const isOutlet = effectiveType({ name: value('name'), type: value('type') }) === 'water_outlet';

  return (
    <form ref={edits.form} noValidate onSubmit={edits.onSubmit} className="grid gap-4">
      <TextField
        label="Asset Name"
        maxLength={200}
        value={value('name')}
        onChange={(event) => set('name', event.target.value)}
        {...about('name', asset.name)}
      />
      <TextArea
        label="Description"
        rows={3}
        maxLength={2000}
        value={value('description')}
        onChange={(event) => set('description', event.target.value)}
        {...about('description', asset.description)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <FloorSelect
          label="Floor"
          none="No floor"
          buildingId={asset.buildingId}
          value={value('floorId')}
          stored={{ id: asset.floorId, name: asset.floorName }}
          onChange={(id) => set('floorId', id)}
          {...about('floorId', asset.floorName ?? 'No floor')}
        />
        <TextField
          label="Room"
          maxLength={100}
          value={value('roomName')}
          onChange={(event) => set('roomName', event.target.value)}
          {...about('roomName', asset.roomName)}
        />
        <SelectField
          label="Type"
          value={value('type')}
          onChange={({ target }) => set('type', oneOf(ASSET_TYPES, target.value) ?? asset.type)}
          {...about('type', ASSET_TYPE_LABELS[asset.type])}
        >
          {ASSET_TYPES.map((type) => (
            <option key={type} value={type}>
              {ASSET_TYPE_LABELS[type]}
            </option>
          ))}
        </SelectField>
        {isOutlet && (
          <SelectField
            label="Outlet Kind"
            value={value('outletKind') ?? ''}
            onChange={({ target }) => set('outletKind', oneOf(OUTLET_KINDS, target.value) ?? null)}
            {...about('outletKind', asset.outletKind === null ? '' : OUTLET_KIND_LABELS[asset.outletKind])}
          >
            <option value="">Not set (checked as cold)</option>
            {OUTLET_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {OUTLET_KIND_LABELS[kind]}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label="Quantity"
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          value={Number.isNaN(value('quantity')) ? '' : value('quantity')}
          onChange={({ target }) => set('quantity', target.value === '' ? Number.NaN : Number(target.value))}
          {...about('quantity', String(asset.quantity))}
        />
        <TextField
          label="Last Visit"
          type="date"
          value={value('lastVisitDate') ?? ''}
          onChange={({ target }) => set('lastVisitDate', target.value === '' ? null : target.value)}
          {...about('lastVisitDate', asset.lastVisitDate === null ? 'Never' : formatDay(asset.lastVisitDate))}
        />
        <SelectField
          label="Frequency"
          value={value('frequency')}
          onChange={({ target }) =>
            set('frequency', oneOf(ASSET_FREQUENCIES, target.value) ?? asset.frequency)
          }
          {...about('frequency', ASSET_FREQUENCY_LABELS[asset.frequency])}
        >
          {ASSET_FREQUENCIES.map((frequency) => (
            <option key={frequency} value={frequency}>
              {ASSET_FREQUENCY_LABELS[frequency]}
            </option>
          ))}
        </SelectField>
      </div>
      <DialogActions>
        <CancelButton />
        <Button type="submit" variant="primary" disabled={saving}>
          {saving ? 'Saving...' : 'Save Asset'}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Returns the overlay shown until the change is confirmed: the edited values as the server will store them. */
function patchOf(changes: FieldEdits<AssetEdit>): Partial<Asset> {
  const wishes = Object.entries(changes).map(([field, edit]) => [field, edit?.to]);
  const checked = changesSchema.parse(Object.fromEntries(wishes));
  // Parsing adds absent fields as undefined, which would clear them in the overlay.
  return Object.fromEntries(Object.entries(checked).filter(([, wish]) => wish !== undefined));
}
