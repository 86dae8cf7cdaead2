import { useCallback } from 'react';
import type { Asset, UpdateAssetInput } from '#shared/features/assets.ts';
import { assetMessages } from '#shared/features/assets-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { api } from '../../lib/trpc.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';
import { toast } from '../../ui/toast.ts';
import { toastFailure, toastSuccess } from '../locations/toasts.ts';

/** Shows a toast that the outcome of a command is not known yet. */
export function toastUncertain(): void {
  toast({ title: messages.common.uncertain });
}

/** Commands on one asset for the table and the asset's page. Each shows a toast with its outcome, except `update`. */
export function useAssetCommands() {
  const { mutate } = useLiveMutation();

  const duplicate = useCallback(
    async (asset: Asset): Promise<string | undefined> => {
      const id = uuidv7();
      try {
        await mutate({
          input: { id, sourceId: asset.id },
          send: (input, { signal }) => api.assets.duplicate.mutate(input, { signal }),
          onUncertain: toastUncertain,
        });
        toastSuccess(assetMessages.duplicated);
        return id;
      } catch (error) {
        toastFailure(error, assetMessages.duplicateFailed);
        return undefined;
      }
    },
    [mutate],
  );

  const setRetired = useCallback(
    async function setRetired(asset: Asset, retired: boolean): Promise<void> {
      const now = new Date().toISOString();
      try {
        await mutate({
          input: { id: asset.id },
          overlay: {
            entity: 'asset',
            id: asset.id,
            base: asset,
            patch: { retiredAt: retired ? now : null },
          },
          send: (input, { signal }) =>
            (retired ? api.assets.retire : api.assets.restore).mutate(input, { signal }),
          onUncertain: toastUncertain,
        });
        const text = retired ? assetMessages.retired : assetMessages.restored;
        const undo = {
          label: 'Undo',
          onSelect: () => void setRetired({ ...asset, retiredAt: retired ? now : null }, !retired),
        };
        toast({ title: messages.common.success, text, ...(retired && { action: undo }) });
      } catch (error) {
        toastFailure(error, retired ? assetMessages.retireFailed : assetMessages.restoreFailed);
      }
    },
    [mutate],
  );

  /** Saves edited fields, each with the value that the person saw before. Shows them at once; rejects when refused. */
  const update = useCallback(
    (asset: Asset, changes: UpdateAssetInput['changes'], patch: Partial<Asset>) =>
      mutate({
        input: { id: asset.id, changes },
        overlay: { entity: 'asset', id: asset.id, base: asset, patch },
        send: (input, { signal }) => api.assets.update.mutate(input, { signal }),
        onUncertain: toastUncertain,
      }),
    [mutate],
  );

  return { duplicate, setRetired, update };
}
