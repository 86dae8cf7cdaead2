import type { QueuedCommand } from './types.ts';

/** Whether a person has to correct a command. A command that the server already has must not be submitted again. */
export function needsCorrection({ state, lastError }: Pick<QueuedCommand, 'state' | 'lastError'>): boolean {
  return state === 'attention' && lastError?.code !== 'duplicate' && lastError?.code !== 'operation_reused';
}

/**
 * The address of the form in which a refused command is corrected; undefined if it cannot be corrected.
 * @param formPath the address of the form that can be filled from the command, if there is one
 */
export function correctionPathOf(item: QueuedCommand, formPath: string | undefined): string | undefined {
  return formPath !== undefined && needsCorrection(item) ? `${formPath}&edit=${item.id}` : undefined;
}
