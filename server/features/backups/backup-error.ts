/** A backup cannot be made or used. The message is for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** Something stored is missing or is not what was written. The next backup compares all stored files and repairs them. */
export class DamagedError extends BackupError {
  override name = 'DamagedError';
}
