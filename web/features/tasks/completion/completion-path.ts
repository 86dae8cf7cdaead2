/** Returns the path that opens a queued completion again: its dialog on the Sync page, which works without a connection. */
export function completionPath(taskId: string): string {
  return `/sync?complete=${taskId}`;
}
