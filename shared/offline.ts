import type { z } from 'zod';
import { recordVisitInput } from './features/checks/index.ts';
import { createIssueInput } from './features/issues/issues.ts';
import { announcePhotoInput } from './features/photos/photos.ts';
import { completeTaskInput, createTaskInput, updateTaskInput } from './features/tasks/tasks.ts';

/** The commands that a device accepts without a connection: it stores them and sends them later. */
export const offlineCommands = {
  'issues.create': createIssueInput,
  'checks.record': recordVisitInput,
  'tasks.create': createTaskInput,
  'tasks.update': updateTaskInput,
  'tasks.complete': completeTaskInput,
  // For a photo of an issue; its bytes are the attachment of the queued command.
  'photos.announce': announcePhotoInput,
} as const satisfies Record<string, z.ZodType>;
export type OfflineCommand = keyof typeof offlineCommands;

/** The fields that are added when a command is sent: its operation id, the device's time and the command's age. */
type AddedLater = 'operationId' | 'deviceNow' | 'ageMs';
// Distributes over the members of a union; `Omit` alone would merge them into one type.
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A command's input as the device stores it. */
export type OfflineInput<C extends OfflineCommand> = Without<
  z.input<(typeof offlineCommands)[C]>,
  AddedLater
>;
