import type { QueuedCommand } from './types.ts';

/** Whether a person has to put an entry right. What the server has already is not to be handed in once more. */
export function needsCorrection({ state, lastError }: Pick<QueuedCommand, 'state' | 'lastError'>): boolean {
  return state === 'attention' && lastError?.code !== 'duplicate' && lastError?.code !== 'operation_reused';
}

/**
 * Where a refused entry is put right; undefined where it cannot be.
 * @param formPath where the form is that takes it in, if one does
 */
export function correctionPathOf(item: QueuedCommand, formPath: string | undefined): string | undefined {
  return formPath !== undefined && needsCorrection(item) ? `${formPath}&edit=${item.id}` : undefined;
}
