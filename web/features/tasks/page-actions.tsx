import { LibraryBig, Printer, Upload } from 'lucide-react';
import type { TaskFilter } from '#shared/features/tasks.ts';
import { usePermissions } from '../../lib/can.tsx';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { libraryPath, newTaskPath } from './task-paths.ts';

type Props = {
  /** Undefined for all buildings. */
  buildingId: string | undefined;
  /** What the list is narrowed to. */
  filter: TaskFilter;
  /** The list has the retired tasks, which the file does not hold. */
  retired: boolean;
};

/** The links in the header of the compliance page, beside the choice of a location. */
export function PageActions({ buildingId, filter, retired }: Props) {
  const { can } = usePermissions();
  return (
    <>
      {can('create_tasks') && (
        <>
          <ButtonLink to={libraryPath(buildingId)}>
            <LibraryBig size={16} aria-hidden />
            Library
          </ButtonLink>
          <ButtonLink to="/import?kind=tasks">
            <Upload size={16} aria-hidden />
            Import
          </ButtonLink>
        </>
      )}
      {!retired && (
        <ExportLink list="tasks" filter={buildingId === undefined ? filter : { ...filter, buildingId }} />
      )}
      <Button onClick={() => window.print()} title="Print">
        <Printer size={16} aria-hidden />
        <span className="max-sm:sr-only">Print</span>
      </Button>
      {can('create_tasks') && (
        <ButtonLink variant="primary" to={newTaskPath(buildingId)}>
          Add Task
        </ButtonLink>
      )}
    </>
  );
}
