import type { Asset } from '#shared/features/assets/assets.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { oneAsset } from './assets.live.ts';
import { EditAssetForm } from './edit-asset-form.tsx';

type Props = {
  id: string;
  /** The asset from the list, shown until the newest version has loaded. */
  asset: Asset;
  onClose: () => void;
};

/** Dialog that edits an asset. Changes saved by other people in the meantime appear in the form. */
export default function EditAssetDialog({ id, asset, onClose }: Props) {
  const { data } = useLiveQuery(oneAsset, { id });
  return (
    <Dialog open onClose={onClose} title={`Edit ${asset.name}`}>
      {data === null ? (
        <p className="text-ink-2">{assetMessages.gone}</p>
      ) : (
        <EditAssetForm asset={data ?? asset} onClose={onClose} />
      )}
    </Dialog>
  );
}
