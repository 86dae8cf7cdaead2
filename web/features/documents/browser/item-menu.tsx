import { Download, Ellipsis, Eye, FolderInput, FolderSearch, Info, PencilLine, Trash2 } from 'lucide-react';
import { cx } from '../../../ui/cx.ts';
import { Menu } from '../../../ui/dialogs/menu.tsx';
import type { MenuItem } from '../../../ui/dialogs/menu-props.ts';
import type { DocumentItem } from '../items.ts';
import { isChangeable, useBrowser } from './browser-context.ts';

/** Menu of a document: Preview and Download; further actions for people who may manage documents. */
export function ItemMenu({ item, className }: { item: DocumentItem; className?: string }) {
  const { canManage, open, ask, download, showInPlace } = useBrowser();
  const { document } = item;
  const isFile = item.kind === 'file';
  const mayChange = canManage && isChangeable(document);
  const icon = (Icon: typeof Eye) => <Icon size={16} aria-hidden />;
  const reading: (MenuItem | false)[] = [
    isFile && { key: 'preview', label: 'Preview', icon: icon(Eye), onSelect: () => open(item) },
    {
      key: 'download',
      label: isFile ? 'Download' : 'Download as ZIP',
      icon: icon(Download),
      onSelect: () => download([document]),
    },
    showInPlace !== undefined && {
      key: 'place',
      label: 'Show in its folder',
      icon: icon(FolderSearch),
      onSelect: () => showInPlace(document),
    },
    {
      key: 'details',
      label: 'Details',
      icon: icon(Info),
      onSelect: () => ask({ what: 'details', document }),
    },
  ];
  const changing: (MenuItem | false)[] = [
    mayChange && {
      key: 'rename',
      label: 'Rename',
      icon: icon(PencilLine),
      onSelect: () => ask({ what: 'rename', document }),
    },
    mayChange && {
      key: 'move',
      label: 'Move',
      icon: icon(FolderInput),
      onSelect: () => ask({ what: 'move', documents: [document] }),
    },
    mayChange && {
      key: 'delete',
      label: 'Delete',
      icon: icon(Trash2),
      tone: 'bad',
      onSelect: () => ask({ what: 'delete', documents: [document] }),
    },
  ];
  const shown = (group: (MenuItem | false)[]) => group.filter((each) => each !== false);
  return (
    <Menu
      label={`Actions for ${item.name}`}
      buttonClassName={cx(
        'relative z-[1] grid size-[30px] shrink-0 place-items-center rounded-control text-ink-2 hover:bg-mute hover:text-ink pointer-coarse:size-12',
        className,
      )}
      button={<Ellipsis size={18} aria-hidden />}
      groups={[shown(reading), shown(changing)]}
    />
  );
}
