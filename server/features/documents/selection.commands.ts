import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { documents } from '#db/schema/documents.ts';
import { AppError } from '#shared/errors.ts';
import type {
  Document,
  DocumentsChanged,
  MoveDocumentsInput,
  RemoveDocumentsInput,
} from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { recordedName } from '../../kernel/person-names.ts';
import { removeFiles } from '../files/files.writes.ts';
import { inUse } from './document-filter.ts';
import { type Container, findContainer, placesOf } from './document-places.ts';
import {
  type Counted,
  countWhere,
  filesDeletedWith,
  readDocuments,
  selectDocuments,
  toDocument,
} from './document-row.ts';
import { assertDisciplineInUse, lockTree, refusal, relocate } from './document-tree.ts';
import { changedAnswer, recordSelection } from './record-documents.ts';

/**
 * Moves documents, and folders with everything in them. All get the discipline of the new place. A name that is taken
 * there gets a number.
 * @throws AppError `invalid` with the sentence, and nothing is moved, if a folder would be moved into itself or below
 *   itself or too deep, for a certificate, or if the discipline is not in use. `not_found` if one of them or the place
 *   does not exist in the building any more
 */
export function moveDocuments(ctx: SignedInContext, input: MoveDocumentsInput): Promise<DocumentsChanged> {
  return runCommand(ctx, 'documents.move', input, async (command) => {
    const { tx, actor } = command;
    const selected = await lockSelection(command, input.buildingId, input.ids);
    const container = await findContainer(tx, actor, input.buildingId, input.to);
    const roots = outermost(selected).filter((each) => !isDirectlyIn(container, each));
    if (selected.some(({ id }) => container.folderPath.includes(id)))
      throw refusal(documentMessages.intoItself);
    if (roots.some(({ proof }) => proof !== null)) throw refusal(documentMessages.certificateKept);
    if (roots.some(({ disciplineId }) => disciplineId !== container.disciplineId)) {
      await assertDisciplineInUse(tx, container.disciplineId);
    }
    const from = await placesOf(tx, roots);
    const below = await countBelow(tx, roots);
    const renamed = await relocate(tx, roots, container);
    const after = await readDocuments(
      tx,
      roots.map(({ id }) => id),
    );
    const to = await placesOf(tx, after);
    await recordSelection(command, roots, below, ({ id }) => ({
      place: [from.get(id) ?? null, to.get(id) ?? null],
    }));
    const [place] = to.values();
    return changedAnswer(command, roots, below, {
      renamed: after.filter(({ id }) => renamed.has(id)),
      where: place === undefined ? null : `to ${place}`,
    });
  });
}

function isDirectlyIn({ folderId, disciplineId }: Container, document: Document): boolean {
  return document.parentFolderId === folderId && document.disciplineId === disciplineId;
}

/** Leaves out documents that are below another one of these. */
function outermost(documents: readonly Document[]): Document[] {
  const ids = new Set(documents.map(({ id }) => id));
  return documents.filter(({ folderPath }) => !folderPath.some((id) => ids.has(id)));
}

/**
 * Deletes documents, and folders with everything in them: they go to the bin, from where they can be restored.
 * Does nothing for documents that were deleted already.
 * @throws AppError `invalid` for a certificate, which cannot be deleted. `not_found` if one of them does not exist in the
 *   building
 */
export function removeDocuments(
  ctx: SignedInContext,
  input: RemoveDocumentsInput,
): Promise<DocumentsChanged> {
  return runCommand(ctx, 'documents.remove', input, async (command) => {
    const { tx, actor, now } = command;
    const selected = await lockSelection(command, input.buildingId, input.ids, { orDeleted: true });
    const roots = outermost(selected.filter(({ deletedAt }) => deletedAt === null));
    if (roots.some(({ proof }) => proof !== null)) throw refusal(documentMessages.certificateKept);
    const below = await countBelow(tx, roots);
    const ids = roots.map(({ id }) => id).join();
    const deletion = sql`deleted_at = ${now}::timestamptz, deleted_by_name = ${recordedName(actor)}, version = d.version + 1`;
    await tx.execute(sql`
      update ${documents} d set deleted_with = r.id, ${deletion}
      from unnest(string_to_array(${ids}, ',')::uuid[]) r (id)
      where d.folder_path @> array[r.id] and d.deleted_at is null`);
    await tx.execute(sql`
      update ${documents} d set deleted_with = d.id, ${deletion} where d.id = any(string_to_array(${ids}, ',')::uuid[])`);
    await removeFiles(
      command,
      await filesDeletedWith(
        tx,
        roots.map(({ id }) => id),
      ),
    );
    await recordSelection(command, roots, below, () => ({}));
    const [place] = (await placesOf(tx, roots)).values();
    return changedAnswer(command, roots, below, { where: place === undefined ? null : `from ${place}` });
  });
}

/**
 * Locks the tree and reads documents of it.
 * @param options.orDeleted also accepts documents that were deleted in the meantime
 * @throws AppError `not_found` if one does not exist in the building, or was deleted
 */
async function lockSelection(
  command: Command,
  buildingId: string,
  ids: readonly string[],
  { orDeleted = false } = {},
): Promise<Document[]> {
  await lockTree(command, buildingId);
  const found = await selectDocuments(command.tx).where(
    and(isAnyOf(documents.id, ids), eq(documents.buildingId, buildingId), orDeleted ? undefined : inUse),
  );
  if (found.length < ids.length) throw new AppError('not_found', { message: documentMessages.gone });
  return found.map(toDocument);
}

/** Selects the documents below these folders, at any depth, that are in use. */
async function countBelow(tx: Transaction, roots: readonly Document[]): Promise<Counted> {
  const folders = roots.filter(({ isFolder }) => isFolder).map(({ id }) => id);
  if (folders.length === 0) return { files: 0, folders: 0 };
  return countWhere(
    tx,
    and(inUse, sql`${documents.folderPath} && string_to_array(${folders.join()}, ',')::uuid[]`),
  );
}
