import type { ImportedOfMine } from '#shared/features/checks/answers.ts';
import { api } from '../../../lib/trpc.ts';
import { defineLiveQuery } from '../../../live/types.ts';

/** Records that were imported in one's own name, and what one has said of them. */
export const importedOfMine = defineLiveQuery<undefined, ImportedOfMine[], 'importedCheck' | 'heldCheck'>({
  name: 'checks.importedOfMine',
  entities: ['importedCheck', 'heldCheck'],
  fetch: (_input, { signal }) => api.checks.importedOfMine.query(undefined, { signal }),
  apply: () => 'refetch',
});
