import { type FormEvent, useRef, useState } from 'react';
import { dayOf } from '#shared/dates.ts';
import { effectiveType } from '#shared/features/asset-filter.ts';
import {
  ASSET_DEFAULTS,
  ASSET_FREQUENCIES,
  ASSET_FREQUENCY_LABELS,
  ASSET_TYPE_LABELS,
  ASSET_TYPES,
  DEFAULT_OUTLET_KIND,
  OUTLET_KIND_LABELS,
  OUTLET_KINDS,
} from '#shared/features/assets.vocabulary.ts';
import { assetMessages } from '#shared/features/assets-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { fieldErrorsOf, isShownAtFields, messageFor } from '../../lib/message-for.ts';
import { api } from '../../lib/trpc.ts';
import { useFocusFirstError } from '../../lib/use-focus-first-error.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';
import { NotSentError, StoppedError } from '../../live/wire-error.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { BuildingPicker } from '../locations/building-picker.tsx';
import { PickerField } from '../locations/picker-field.tsx';
import { toastSuccess } from '../locations/toasts.ts';
import { FloorSelect } from './floor-select.tsx';
import { toastUncertain } from './use-asset-commands.ts';

export type AddedAsset = { id: string; buildingId: string; floorId: string | null };
type Props = {
  /** Building and floor of the table's filter, as default for the new asset. */
  buildingId: string | null;
  floorId: string | null;
  onAdded: (asset: AddedAsset) => void;
};

const blank = () => ({
  name: '',
  description: '',
  roomName: '',
  type: ASSET_DEFAULTS.type as string,
  outletKind: DEFAULT_OUTLET_KIND as string,
  quantity: String(ASSET_DEFAULTS.quantity),
  lastVisitDate: dayOf(Date.now()),
  frequency: ASSET_DEFAULTS.frequency as string,
});

/** Form that adds an asset to one of the person's buildings. */
export function AddAssetForm({ buildingId, floorId, onAdded }: Props) {
  const [values, setValues] = useState(blank);
  // Undefined while the place follows the table's filter.
  const [place, setPlace] = useState<{ buildingId: string | null; floorId: string | null }>();
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { mutate } = useLiveMutation();
  useFocusFirstError(form, wrong, busy);
  const at = place ?? { buildingId, floorId };
  const isOutlet = effectiveType({ name: values.name, type: typeOf(values.type) }) === 'water_outlet';

  function set(field: keyof typeof values, value: string) {
    setValues((before) => ({ ...before, [field]: value }));
    clear(field);
  }
  function clear(field: string) {
    setWrong(({ [field]: _fixed, ...rest }) => rest);
  }
  const text = (field: keyof typeof values) => ({
    value: values[field],
    onChange: (event: { target: { value: string } }) => set(field, event.target.value),
    error: wrong[field],
  });

  async function submit() {
    const { createAssetInput } = await import('#shared/features/assets.ts');
    const checked = createAssetInput.omit({ operationId: true }).safeParse({
      id: uuidv7(),
      ...values,
      roomName: values.roomName,
      outletKind: isOutlet ? values.outletKind : null,
      quantity: values.quantity.trim() === '' ? Number.NaN : Number(values.quantity),
      lastVisitDate: values.lastVisitDate === '' ? null : values.lastVisitDate,
      buildingId: at.buildingId ?? '',
      floorId: at.floorId,
    });
    if (!checked.success) {
      const found: Record<string, string> = {};
      for (const issue of checked.error.issues) found[issue.path.join('.')] ??= issue.message;
      setWrong(found);
      return;
    }
    setWrong({});
    setBusy(true);
    try {
      const { id } = await mutate({
        input: checked.data,
        send: (input, { signal }) => api.assets.create.mutate(input, { signal }),
        onUncertain: toastUncertain,
      });
      setValues(blank());
      toastSuccess(assetMessages.added);
      onAdded({ id, buildingId: checked.data.buildingId, floorId: checked.data.floorId });
      form.current?.querySelector<HTMLElement>('input')?.focus();
    } catch (error) {
      setWrong(fieldErrorsOf(error));
      if (!isShownAtFields(error)) sayAddFailure(error);
    } finally {
      setBusy(false);
    }
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (!busy) void submit();
  }

  return (
    <form ref={form} noValidate onSubmit={onSubmit}>
      <div className="grid gap-x-4 gap-y-3.5 sm:grid-cols-2 lg:grid-cols-4 xl:grid-cols-6">
        <TextField label="Asset Name" maxLength={200} autoComplete="off" {...text('name')} />
        <div className="sm:col-span-1 lg:col-span-2">
          <TextField label="Description" maxLength={2000} autoComplete="off" {...text('description')} />
        </div>
        <PickerField label="Building" error={wrong['buildingId']}>
          <BuildingPicker
            block
            value={at.buildingId ?? undefined}
            onChange={(id) => {
              setPlace({ buildingId: id, floorId: null });
              clear('buildingId');
              clear('floorId');
            }}
          />
        </PickerField>
        <FloorSelect
          label="Floor"
          none="No floor"
          buildingId={at.buildingId ?? undefined}
          value={at.floorId}
          onChange={(id) => {
            setPlace({ ...at, floorId: id });
            clear('floorId');
          }}
          error={wrong['floorId']}
        />
        <TextField
          label="Room"
          maxLength={100}
          autoComplete="off"
          placeholder={ASSET_DEFAULTS.roomName}
          {...text('roomName')}
        />
        <SelectField label="Type" {...text('type')}>
          {ASSET_TYPES.map((type) => (
            <option key={type} value={type}>
              {ASSET_TYPE_LABELS[type]}
            </option>
          ))}
        </SelectField>
        {isOutlet && (
          <SelectField label="Outlet Kind" {...text('outletKind')}>
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
          {...text('quantity')}
        />
        <TextField label="Last Visit" type="date" {...text('lastVisitDate')} />
        <SelectField label="Frequency" {...text('frequency')}>
          {ASSET_FREQUENCIES.map((frequency) => (
            <option key={frequency} value={frequency}>
              {ASSET_FREQUENCY_LABELS[frequency]}
            </option>
          ))}
        </SelectField>
        <div className="flex items-start sm:pt-[26px]">
          <Button type="submit" variant="primary" className="max-sm:w-full">
            {busy ? 'Adding...' : 'Add Asset'}
          </Button>
        </div>
      </div>
    </form>
  );
}

function typeOf(value: string) {
  return ASSET_TYPES.find((type) => type === value) ?? ASSET_DEFAULTS.type;
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
  toast({ title: messages.common.error, text: assetMessages.addFailed(why), tone: 'destructive' });
}
