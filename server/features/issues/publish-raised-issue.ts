import type { Issue } from '#shared/features/issues/issues.ts';
import type { Command } from '../../kernel/commands.ts';
import { visitRecordersOf } from './check-recorders.ts';

/**
 * Notifies the recorders of the checks behind an issue that it has changed, so that they fetch the part that they may
 * read.
 */
export async function publishRaisedIssue(
  { tx, recordBulk }: Command,
  { id, source }: Pick<Issue, 'id' | 'source'>,
): Promise<void> {
  if (source !== 'check') return;
  const recordedBy = await visitRecordersOf(tx, id);
  if (recordedBy.length > 0) await recordBulk({ entity: 'raisedIssue', row: { id, recordedBy, version: 0 } });
}
