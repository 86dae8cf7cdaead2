import type { Document, DocumentsChanged } from '#shared/features/documents/documents.ts';
import type { Changes } from '#shared/live/live.ts';
import type { Command } from '../../kernel/commands.ts';
import { type Counted, changesBetween, readDocuments } from './document-row.ts';

/** A larger selection is recorded as one bulk event. */
const SEPARATE_EVENTS_MAX = 20;

/** Records the change of a selection: one event for each document, and one bulk event for everything below them. */
export async function recordSelection(
  command: Command,
  before: readonly Document[],
  below: Counted,
  more: (document: Document) => Changes,
): Promise<void> {
  const [first] = before;
  if (first === undefined) return;
  const recordsEach = before.length <= SEPARATE_EVENTS_MAX;
  if (recordsEach) await recordDocuments(command, before, more);
  if (recordsEach && below.files + below.folders === 0) return;
  await command.recordBulk({ entity: 'document', buildingId: first.buildingId });
}

/** Records one event for each document. */
export async function recordDocuments(
  command: Command,
  before: readonly Document[],
  more: (document: Document) => Changes = () => ({}),
): Promise<void> {
  const after = await readDocuments(
    command.tx,
    before.map(({ id }) => id),
  );
  for (const row of after) {
    const earlier = before.find(({ id }) => id === row.id);
    const changes = earlier === undefined ? null : { ...more(earlier), ...changesBetween(earlier, row) };
    await command.record({ entity: 'document', op: 'put', row, changes });
  }
}

/** The answer of a command about several documents; the Activity shows its counts, too. */
export function changedAnswer(
  { actor }: Command,
  roots: readonly Document[],
  below: Counted,
  { renamed = [], where = null }: { renamed?: readonly Document[]; where?: string | null } = {},
): DocumentsChanged {
  const folders = below.folders + roots.filter(({ isFolder }) => isFolder).length;
  const files = below.files + roots.filter(({ isFolder }) => !isFolder).length;
  return {
    id: actor.userId,
    version: files + folders,
    files,
    folders,
    count: files + folders,
    where,
    renamed: renamed.map(({ id, fileName }) => ({ id, fileName })),
  };
}
