import type { TaskFilter } from '#shared/features/tasks.ts';
import { ExportLink } from '../../ui/export-link.tsx';

type Props = {
  /** Undefined for all buildings. */
  buildingId: string | undefined;
  /** What the list is narrowed to. */
  filter: TaskFilter;
};

/** The links in the header of the compliance page, beside the choice of a location. */
export function PageActions({ buildingId, filter }: Props) {
  return <ExportLink list="tasks" filter={buildingId === undefined ? filter : { ...filter, buildingId }} />;
}
