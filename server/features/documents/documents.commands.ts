import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { disciplines } from '#db/schema/accounts.ts';
import { documents } from '#db/schema/documents.ts';
import { AppError } from '#shared/errors.ts';
import type {
  Document,
  DocumentsChanged,
  MoveDocumentsInput,
  RemoveDocumentsInput,
  RestoreDocumentInput,
  UpdateDocumentInput,
} from '#shared/features/documents.ts';
import { documentMessages } from '#shared/features/documents-messages.ts';
import type { Changes } from '#shared/live.ts';
import { fullName } from '#shared/names.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isDuplicate } from '../../kernel/database-errors.ts';
import { mergeEdit } from '../../kernel/merge-fields.ts';
import { inUse, isBelow, isRestorable } from './document-filter.ts';
import { type Container, findContainer, placeInWords } from './document-places.ts';
import { changesBetween, readDocuments, selectDocuments, toDocument } from './document-row.ts';
import { assertDisciplineInUse, lockTree, refusal, relocate } from './document-tree.ts';
import { visibleDocument } from './documents.queries.ts';

/**
 * Changes a document's name, description, colour or expiry, merged field by field under the row's lock (rule S6).
 * @throws AppError `conflict` with the present values if another person changed an edited field since; nothing is
 *   stored. `invalid` if the name is taken in its place, or the field is not one of a file, or of a folder
 */
export function updateDocument(
  ctx: SignedInContext,
  input: UpdateDocumentInput,
): Promise<{ id: string; version: number }> {
  return runCommand(ctx, 'documents.update', input, async (command) => {
    const { tx, actor, now } = command;
    const [found] = await selectDocuments(tx)
      .where(visibleDocument(actor, input.id))
      .for('update', { of: documents });
    if (found === undefined) throw new AppError('not_found');
    const before = toDocument(found);
    if (before.proof !== null) throw refusal(documentMessages.certificateKept);
    const { fileName, description, folderColor, expiresOn } = before;
    const set = mergeEdit({ fileName, description, folderColor, expiresOn }, before.version, input.changes);
    if (set.folderColor !== undefined && !before.isFolder) throw refusal(documentMessages.colorOfFile);
    if (set.expiresOn !== undefined && before.isFolder) throw refusal(documentMessages.expiryOfFolder);
    if (Object.keys(set).length === 0) return { id: before.id, version: before.version };
    try {
      await tx
        .update(documents)
        .set({ ...set, modifiedAt: now, modifiedByName: fullName(actor), version: before.version + 1 })
        .where(eq(documents.id, before.id));
    } catch (error) {
      if (!isDuplicate(error, 'building_documents_name_once')) throw error;
      throw taken(before.isFolder, set.fileName ?? fileName);
    }
    await tellEach(command, [before]);
    return { id: before.id, version: before.version + 1 };
  });
}

function taken(isFolder: boolean, name: string): AppError {
  const sentence = isFolder ? documentMessages.folderTaken(name) : documentMessages.nameTaken(name);
  return new AppError('invalid', { data: { fields: { 'changes.fileName.to': sentence } } });
}

/**
 * Moves documents, and folders with all that is in them, which get the discipline of the place. A name that is taken
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
    await tell(command, roots, below, ({ id }) => ({ place: [from.get(id) ?? null, to.get(id) ?? null] }));
    return changed(
      command,
      roots,
      below,
      after.filter(({ id }) => renamed.has(id)),
    );
  });
}

function isDirectlyIn({ folderId, disciplineId }: Container, document: Document): boolean {
  return document.parentFolderId === folderId && document.disciplineId === disciplineId;
}

/** Those that are in no other of them. */
function outermost(documents: readonly Document[]): Document[] {
  const ids = new Set(documents.map(({ id }) => id));
  return documents.filter(({ folderPath }) => !folderPath.some((id) => ids.has(id)));
}

/**
 * Deletes documents, and folders with all that is in them: they go to the bin, from where they can be restored.
 * Without effect for what was deleted already.
 * @throws AppError `invalid` for a certificate, which stays. `not_found` if one of them does not exist in the building
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
    const deletion = sql`deleted_at = ${now}::timestamptz, deleted_by_name = ${fullName(actor)}, version = d.version + 1`;
    await tx.execute(sql`
      update ${documents} d set deleted_with = r.id, ${deletion}
      from unnest(string_to_array(${ids}, ',')::uuid[]) r (id)
      where d.folder_path @> array[r.id] and d.deleted_at is null`);
    await tx.execute(sql`
      update ${documents} d set deleted_with = d.id, ${deletion} where d.id = any(string_to_array(${ids}, ',')::uuid[])`);
    await tell(command, roots, below, () => ({}));
    return changed(command, roots, below, []);
  });
}

/**
 * Takes what was deleted out of the bin, with all that was deleted with it: to where it was, or where that folder was
 * deleted, to the top of its discipline. A name that is taken there gets a number. Without effect for what is in use.
 * @throws AppError `not_found` if it was deleted too long ago, or with its folder
 */
export function restoreDocument(
  ctx: SignedInContext,
  input: RestoreDocumentInput,
): Promise<DocumentsChanged> {
  return runCommand(ctx, 'documents.restore', input, async (command) => {
    const { tx, actor } = command;
    const theirs = and(eq(documents.id, input.id), visibleTo(actor, documents.buildingId));
    const [known] = await tx.select({ buildingId: documents.buildingId }).from(documents).where(theirs);
    if (known === undefined) throw notInBin();
    await lockTree(command, known.buildingId);
    const [found] = await selectDocuments(tx).where(and(theirs, or(inUse, isRestorable(command.now))));
    if (found === undefined) throw notInBin();
    if (found.deletedAt === null) return changed(command, [], { files: 0, folders: 0 }, []);
    if (found.deletedWith !== found.id) throw notInBin();
    const root = toDocument(found);
    const below = await countWhere(tx, and(eq(documents.deletedWith, root.id), isBelow(root.id)));
    const renamed = await relocate(tx, [root], await homeOf(tx, root));
    await tx
      .update(documents)
      .set({
        deletedAt: null,
        deletedByName: null,
        deletedWith: null,
        version: sql`${documents.version} + 1`,
      })
      .where(eq(documents.deletedWith, root.id));
    await tell(command, [root], below, () => ({}));
    const after = await readDocuments(tx, [root.id]);
    return changed(
      command,
      [root],
      below,
      after.filter(({ id }) => renamed.has(id)),
    );
  });
}

function notInBin(): AppError {
  return new AppError('not_found', { message: documentMessages.notInBin });
}

/** Where a deleted document was; the top of its discipline if its folder was deleted too. */
async function homeOf(
  tx: Transaction,
  { buildingId, parentFolderId, folderPath, disciplineId }: Document,
): Promise<Container> {
  const top = { buildingId, folderId: null, folderPath: [], disciplineId };
  if (parentFolderId === null) return top;
  const [parent] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.id, parentFolderId), inUse));
  return parent === undefined ? top : { ...top, folderId: parent.id, folderPath };
}

/**
 * Locks the tree and reads documents of it.
 * @param options.orDeleted also those that were deleted meanwhile
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

type Counted = { files: number; folders: number };

/** What is in these folders at any depth and in use. */
async function countBelow(tx: Transaction, roots: readonly Document[]): Promise<Counted> {
  const folders = roots.filter(({ isFolder }) => isFolder).map(({ id }) => id);
  if (folders.length === 0) return { files: 0, folders: 0 };
  return countWhere(
    tx,
    and(inUse, sql`${documents.folderPath} && string_to_array(${folders.join()}, ',')::uuid[]`),
  );
}

async function countWhere(tx: Transaction, where: ReturnType<typeof and>): Promise<Counted> {
  const [row] = await tx
    .select({
      files: sql<number>`(count(*) filter (where not ${documents.isFolder}))::int`,
      folders: sql<number>`(count(*) filter (where ${documents.isFolder}))::int`,
    })
    .from(documents)
    .where(where);
  return row ?? { files: 0, folders: 0 };
}

function changed(
  { actor }: Command,
  roots: readonly Document[],
  below: Counted,
  renamed: readonly Document[],
): DocumentsChanged {
  const folders = below.folders + roots.filter(({ isFolder }) => isFolder).length;
  const files = below.files + roots.filter(({ isFolder }) => !isFolder).length;
  return {
    id: actor.userId,
    version: files + folders,
    files,
    folders,
    renamed: renamed.map(({ id, fileName }) => ({ id, fileName })),
  };
}

/** A selection of more than these is told in one event. */
const TOLD_MAX = 20;

/** Records what became of a selection: one event for each, and one for all that is below them. */
async function tell(
  command: Command,
  before: readonly Document[],
  below: Counted,
  more: (document: Document) => Changes,
): Promise<void> {
  const [first] = before;
  if (first === undefined) return;
  const tellsEach = before.length <= TOLD_MAX;
  if (tellsEach) await tellEach(command, before, more);
  if (tellsEach && below.files + below.folders === 0) return;
  await command.recordBulk({ entity: 'document', buildingId: first.buildingId });
}

async function tellEach(
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

/** Where each of these documents is, in words. */
async function placesOf(tx: Transaction, rows: readonly Document[]): Promise<Map<string, string>> {
  const folderIds = [...new Set(rows.flatMap(({ folderPath }) => folderPath))];
  const folders = await readDocuments(tx, folderIds);
  const disciplineIds = [...new Set(rows.flatMap(({ disciplineId }) => disciplineId ?? []))];
  const named =
    disciplineIds.length === 0
      ? []
      : await tx
          .select({ id: disciplines.id, name: disciplines.name })
          .from(disciplines)
          .where(inArray(disciplines.id, disciplineIds));
  const folderNames = new Map(folders.map(({ id, fileName }) => [id, fileName]));
  const disciplineNames = new Map(named.map(({ id, name }) => [id, name]));
  return new Map(
    rows.map(({ id, folderPath, disciplineId }) => [
      id,
      placeInWords(
        disciplineId === null ? null : (disciplineNames.get(disciplineId) ?? null),
        folderPath.map((folderId) => folderNames.get(folderId) ?? ''),
      ),
    ]),
  );
}
