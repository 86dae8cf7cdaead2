import { useMemo } from 'react';
import type {
  DisciplineContents,
  DocumentPlace,
  DocumentRoot,
  FolderTrail,
} from '#shared/features/documents/documents.ts';
import { disciplineOfPlace, findDiscipline } from '../data/use-place.ts';
import { disciplineName } from '../items.ts';
import type { Crumb } from './breadcrumb.tsx';

/** The path to the opened place. */
export type Way = {
  /** The steps from the discipline on, without the root; undefined until they are known. */
  crumbs: readonly Crumb[] | undefined;
  /** The names of the steps. */
  names: readonly string[];
  discipline: DisciplineContents | undefined;
};

/**
 * Returns the path to a place, with names.
 * @param trail the trail of an opened folder
 */
export function useBreadcrumb(
  place: DocumentPlace,
  trail: FolderTrail | undefined,
  root: DocumentRoot | undefined,
): Way {
  const disciplineId = disciplineOfPlace(place, trail);
  const discipline = disciplineId === undefined ? undefined : findDiscipline(root, disciplineId);
  return useMemo(() => {
    const crumbs = crumbsOf(place, trail, disciplineId, discipline);
    return { crumbs, names: (crumbs ?? []).map(({ name }) => name), discipline };
  }, [place, trail, disciplineId, discipline]);
}

function crumbsOf(
  place: DocumentPlace,
  trail: FolderTrail | undefined,
  disciplineId: string | null | undefined,
  discipline: DisciplineContents | undefined,
): Crumb[] | undefined {
  if (place.at === 'building') return [];
  if (disciplineId === undefined || (place.at === 'folder' && trail === undefined)) return undefined;
  const top: DocumentPlace = { at: 'discipline', disciplineId };
  return [
    { key: 'discipline', name: discipline === undefined ? '…' : disciplineName(discipline), place: top },
    ...(trail?.folders ?? []).map(
      ({ id, fileName }): Crumb => ({ key: id, name: fileName, place: { at: 'folder', folderId: id } }),
    ),
  ];
}
