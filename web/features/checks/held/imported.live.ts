import type { ImportedOfMine } from '#shared/features/checks/procedure-answers.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { defineLiveQuery } from '../../../live/types.ts';

/** Records imported in the person's name, with the person's answers. */
export const importedOfMine = defineLiveQuery<undefined, ImportedOfMine[], 'importedCheck' | 'heldCheck'>({
  name: 'checks.importedOfMine',
  entities: ['importedCheck', 'heldCheck'],
  fetch: (_input, { signal }) => api.checks.importedOfMine.query(undefined, { signal }),
  apply: () => 'refetch',
});
