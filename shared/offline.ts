import type { z } from 'zod';
import { recordVisitInput } from './features/checks/index.ts';
import { createIssueInput } from './features/issues.ts';
import { announcePhotoInput } from './features/photos.ts';

/** What a device may do with no connection: it is kept there, and sent when there is one. */
export const offlineCommands = {
  'issues.create': createIssueInput,
  'checks.record': recordVisitInput,
  // Of a photo of an issue: its bytes are the entry's attachment.
  'photos.announce': announcePhotoInput,
} as const satisfies Record<string, z.ZodType>;
export type OfflineCommand = keyof typeof offlineCommands;

/** What is added when it is sent: the id that makes it one operation, the clock of the device, and how old it is. */
type AddedLater = 'operationId' | 'deviceNow' | 'ageMs';
// Distributes over the members of a union, which Omit alone would melt into one.
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** What is kept of a command's input. */
export type OfflineInput<C extends OfflineCommand> = Without<
  z.input<(typeof offlineCommands)[C]>,
  AddedLater
>;
