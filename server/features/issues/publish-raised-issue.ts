import type { Issue } from '#shared/features/issues.ts';
import type { Command } from '../../kernel/commands.ts';
import { visitRecordersOf } from './check-recorders.ts';

/** Whoever recorded the check behind an issue hears that it has changed, and reads anew what is theirs to read. */
export async function publishRaisedIssue(
  { tx, recordBulk }: Command,
  { id, source }: Pick<Issue, 'id' | 'source'>,
): Promise<void> {
  if (source !== 'check') return;
  const recordedBy = await visitRecordersOf(tx, id);
  if (recordedBy.length > 0) await recordBulk({ entity: 'raisedIssue', row: { id, recordedBy, version: 0 } });
}
