import { Archive, ArchiveRestore, Copy, Ellipsis, Pencil, QrCode } from 'lucide-react';
import type { Asset } from '#shared/features/assets/assets.ts';
import { usePermissions } from '../../lib/can.tsx';
import { Menu } from '../../ui/dialogs/menu.tsx';
import type { MenuItem } from '../../ui/dialogs/menu-props.ts';
import { labelsPath } from './asset-paths.ts';

export type AssetActions = {
  onEdit: (asset: Asset) => void;
  onDuplicate: (asset: Asset) => void;
  onRetire: (asset: Asset, retired: boolean) => void;
};

/** Menu with the actions on one asset that the person's permissions allow. */
export function AssetMenu({ asset, onEdit, onDuplicate, onRetire }: AssetActions & { asset: Asset }) {
  const { can } = usePermissions();
  const retired = asset.retiredAt !== null;
  const items: (MenuItem | false)[] = [
    can('edit_assets') &&
      !retired && {
        key: 'edit',
        label: 'Edit',
        icon: <Pencil size={16} aria-hidden />,
        onSelect: () => onEdit(asset),
      },
    can('create_assets') && {
      key: 'duplicate',
      label: 'Duplicate',
      icon: <Copy size={16} aria-hidden />,
      onSelect: () => onDuplicate(asset),
    },
    { key: 'label', label: 'QR label', icon: <QrCode size={16} aria-hidden />, to: labelsPath([asset.id]) },
  ];
  const last: (MenuItem | false)[] = [
    can('edit_assets') &&
      (retired
        ? {
            key: 'restore',
            label: 'Restore',
            icon: <ArchiveRestore size={16} aria-hidden />,
            onSelect: () => onRetire(asset, false),
          }
        : {
            key: 'retire',
            label: 'Retire',
            icon: <Archive size={16} aria-hidden />,
            onSelect: () => onRetire(asset, true),
          }),
  ];
  const shown = (group: (MenuItem | false)[]) => group.filter((item) => item !== false);
  return (
    <Menu
      label={`Actions for ${asset.name}`}
      align="end"
      buttonClassName="relative z-[1] grid size-9 place-items-center rounded-control text-ink-2 hover:bg-mute hover:text-ink pointer-coarse:size-12"
      button={<Ellipsis size={18} aria-hidden />}
      groups={[shown(items), shown(last)].filter((group) => group.length > 0)}
    />
  );
}
