import { useCallback } from 'react';
import type { Asset, UpdateAssetInput } from '#shared/features/assets/assets.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { wishesOf } from '../../forms/field-edits.ts';
import { tell, toastFailure } from '../../forms/toasts.ts';
import { presentInstant } from '../../lib/time/present-time.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';
import { toastSuccess } from '../../ui/feedback/toast.ts';

/** Commands on one asset for the table and the asset's page. Each shows a toast with its outcome, except `update`. */
export function useAssetCommands() {
  const { mutate } = useLiveMutation();

  const duplicate = useCallback(
    async (asset: Asset): Promise<string | undefined> => {
      const id = uuidv7();
      const answer = mutate({
        input: { id, sourceId: asset.id },
        send: (input, { signal }) => api.assets.duplicate.mutate(input, { signal }),
      });
      const words = {
        about: asset.name,
        success: assetMessages.duplicated,
        failure: assetMessages.duplicateFailed,
      };
      return (await tell(answer, words)) && id;
    },
    [mutate],
  );

  const setRetired = useCallback(
    async function setRetired(asset: Asset, retired: boolean): Promise<void> {
      const now = presentInstant();
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
        });
        const text = retired ? assetMessages.retired : assetMessages.restored;
        const undo = {
          label: 'Undo',
          onSelect: () => void setRetired({ ...asset, retiredAt: retired ? now : null }, !retired),
        };
        toastSuccess(text, { about: asset.name, ...(retired && { action: undo }) });
      } catch (error) {
        toastFailure(error, retired ? assetMessages.retireFailed : assetMessages.restoreFailed);
      }
    },
    [mutate],
  );

  /** Saves edited fields, each with the value that the person saw before. Shows the changes at once; rejects when refused. */
  const update = useCallback(
    (asset: Asset, changes: UpdateAssetInput['changes']) =>
      mutate({
        input: { id: asset.id, changes },
        overlay: { entity: 'asset', id: asset.id, base: asset, patch: wishesOf(changes) },
        send: (input, { signal }) => api.assets.update.mutate(input, { signal }),
      }),
    [mutate],
  );

  return { duplicate, setRetired, update };
}
