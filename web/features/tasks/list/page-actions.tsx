import { Download, Ellipsis, LibraryBig, Printer, Upload } from 'lucide-react';
import type { TaskFilter } from '#shared/features/tasks/tasks.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { buttonStyle } from '../../../ui/buttons/button-style.ts';
import { Menu } from '../../../ui/dialogs/menu.tsx';
import type { MenuItem } from '../../../ui/dialogs/menu-props.ts';
import { ExportLink, exportAddress } from '../../../ui/lists/export-link.tsx';
import { PrintButton } from '../../../ui/lists/print-button.tsx';
import { usePrintRequest } from '../../../ui/lists/print-request.ts';
import { useMedia } from '../../../ui/use-media.ts';
import { libraryPath, newTaskPath } from '../task-paths.ts';

type Props = {
  /** Undefined for all buildings. */
  buildingId: string | undefined;
  /** The filter of the list. */
  filter: TaskFilter;
  /** The list shows the retired tasks, which an export does not contain. */
  retired: boolean;
};

/**
 * The links in the header of the compliance page, beside the choice of a location. On phones and tablets most links are in a
 * menu, so that they take one line.
 */
export function PageActions({ buildingId, filter, retired }: Props) {
  const { can } = usePermissions();
  const narrow = useMedia('(max-width: 1023px)');
  const { print } = usePrintRequest();
  const exported = buildingId === undefined ? filter : { ...filter, buildingId };
  const add = can('create_tasks') && (
    // On a phone the choice of a location takes the remaining width.
    <ButtonLink variant="primary" className="grow-0!" to={newTaskPath(buildingId)}>
      Add Task
    </ButtonLink>
  );
  if (narrow) {
    const items: (MenuItem | false)[] = [
      can('create_tasks') && { key: 'library', label: 'Library', icon: library, to: libraryPath(buildingId) },
      can('create_tasks') && { key: 'import', label: 'Import', icon: upload, to: IMPORT_PATH },
      !retired && {
        key: 'export',
        label: 'Export CSV',
        icon: <Download size={16} aria-hidden />,
        download: exportAddress('tasks', exported),
      },
      { key: 'print', label: 'Print', icon: <Printer size={16} aria-hidden />, onSelect: print },
    ];
    return (
      <>
        {add}
        <Menu
          label="More actions"
          align="end"
          buttonClassName={buttonStyle('secondary')}
          button={<Ellipsis size={18} aria-hidden />}
          groups={[items.filter((item) => item !== false)]}
        />
      </>
    );
  }
  return (
    <>
      {can('create_tasks') && (
        <>
          <ButtonLink to={libraryPath(buildingId)}>
            {library}
            Library
          </ButtonLink>
          <ButtonLink to={IMPORT_PATH}>
            {upload}
            Import
          </ButtonLink>
        </>
      )}
      {!retired && <ExportLink list="tasks" filter={exported} />}
      <PrintButton />
      {add}
    </>
  );
}

const IMPORT_PATH = '/import?kind=tasks';
const library = <LibraryBig size={16} aria-hidden />;
const upload = <Upload size={16} aria-hidden />;
