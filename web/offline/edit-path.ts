import type { OutboxItem } from './types.ts';

/** Whether a person has to put an entry right. What the server has already is not to be handed in once more. */
export function isToBeRighted({ state, lastError }: Pick<OutboxItem, 'state' | 'lastError'>): boolean {
  return state === 'attention' && lastError?.code !== 'duplicate' && lastError?.code !== 'operation_reused';
}

/**
 * Where a refused entry is put right; undefined where it cannot be.
 * @param formPath where the form is that takes it in, if one does
 */
export function editPathOf(item: OutboxItem, formPath: string | undefined): string | undefined {
  return formPath !== undefined && isToBeRighted(item) ? `${formPath}&edit=${item.id}` : undefined;
}
