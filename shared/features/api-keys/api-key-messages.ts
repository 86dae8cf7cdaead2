/** Sentences about keys of the API; in a file of their own because every first screen loads `messages.ts`. */
export const apiKeyMessages = {
  title: 'API keys',
  text: 'Let other software use Lintel: reports and dashboards that read, sensors and helpdesks that report issues.',
  reference: 'How to use the API',
  fetchFailed: 'Failed to fetch the API keys',
  none: 'No keys yet',
  nameRequired: 'Give the key a name, for example the program that uses it',
  permissionsRequired: 'Choose what the key may read or change',
  peopleNeedAll:
    'A key that reads people needs all buildings, because people belong to the whole organisation',
  tooMany: (most: number) => `At most ${most} keys can exist at a time. Revoke an unused key first.`,
  create: 'Create Key',
  createTitle: 'Create an API key',
  createFailed: 'Failed to create the key',
  shownOnce: 'Copy the key now: it is shown only once, and not stored here.',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeText: 'Any program using this key will stop working at once. This cannot be undone.',
  revoked: 'API key revoked',
  revokeFailed: 'Failed to revoke the key',
  gone: 'This key has already been revoked',
  expired: 'Expired',
  expiresSoon: 'Expires soon',
  neverUsed: 'Never used',
  lastUsed: (address: string) => `from ${address}`,
  inYourName:
    'The key acts in your name, and Activity shows its name beside yours. It is revoked when you are deactivated or no longer an administrator, or set a new password by a link.',
} as const;
