/** Sentences about acknowledging an issue; in a file of their own because every first screen loads `messages.ts`. */
export const issueAcknowledgeMessages = {
  notAcknowledgeable: 'Only a critical issue that is not resolved can be acknowledged.',
  failed: 'Failed to acknowledge the issue',
} as const;
