import type { OutboxItem } from './types.ts';

/**
 * Where a refused entry is put right; undefined where it cannot be. What the server has already is not to be handed in
 * once more.
 */
export function editPathOf({ id, state, form, lastError }: OutboxItem): string | undefined {
  if (state !== 'attention' || form === null) return undefined;
  if (lastError?.code === 'duplicate' || lastError?.code === 'operation_reused') return undefined;
  return `${form.path}&edit=${id}`;
}
