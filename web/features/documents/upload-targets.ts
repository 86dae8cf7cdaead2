import type { DocumentRoot } from '#shared/features/documents/documents.ts';

/** The disciplines that new documents can be put into, beside General. */
export function uploadTargetsIn(root: DocumentRoot | undefined): { id: string; name: string }[] {
  return (root?.disciplines ?? []).flatMap(({ disciplineId: id, name, isActive }) =>
    id !== null && name !== null && isActive ? { id, name } : [],
  );
}
