/** A backup cannot be made or used. The message is for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}
