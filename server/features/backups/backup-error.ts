/** A backup cannot be made or used. The message is for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/**
 * A stored object is missing or differs from the data that was written. The next backup compares all stored files and repairs
 * them.
 */
export class DamagedError extends BackupError {
  override name = 'DamagedError';
}
