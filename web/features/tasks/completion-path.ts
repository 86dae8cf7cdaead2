/** The address at which a queued completion is opened again: its dialog, on the Sync page, works without a connection. */
export function completionPath(taskId: string): string {
  return `/sync?complete=${taskId}`;
}
