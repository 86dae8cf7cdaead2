import type { DocumentRoot } from '#shared/features/documents/documents.ts';

/** Returns the disciplines to which new documents can be uploaded, besides General. */
export function uploadTargetsIn(root: DocumentRoot | undefined): { id: string; name: string }[] {
  return (root?.disciplines ?? []).flatMap(({ disciplineId: id, name, isActive }) =>
    id !== null && name !== null && isActive ? { id, name } : [],
  );
}
