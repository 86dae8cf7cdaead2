import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { disciplines } from '#db/schema/accounts.ts';
import { documents } from '#db/schema/documents.ts';
import { buildings } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import type { Document } from '#shared/features/documents/documents.ts';
import { FOLDER_DEPTH_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { visibleTo } from '../../access/visible-to.ts';
import type { Command } from '../../kernel/commands.ts';
import { isBelow } from './document-filter.ts';
import { freeNames } from './document-names.ts';
import type { Container } from './document-places.ts';
import { selectDocuments, toDocument } from './document-row.ts';

// Commands that change the tree of a building's documents run one at a time.

/**
 * Locks the tree of a building's documents until the end of the command. So two folders cannot be moved into each other at
 * the same time, and nothing is put into a folder that is being deleted. The building is not archived in the meantime.
 * @throws AppError `not_found` if the building does not exist, is archived, or the person may not see it
 */
export async function lockTree(
  { tx, actor }: Pick<Command, 'tx' | 'actor'>,
  buildingId: string,
): Promise<void> {
  const [locked] = await tx
    .select({ id: buildings.id })
    .from(buildings)
    .where(and(eq(buildings.id, buildingId), isNull(buildings.archivedAt), visibleTo(actor, buildings.id)))
    .for('no key update');
  if (locked === undefined) throw new AppError('not_found');
}

/**
 * Locks the tree of a document that this person may see, and reads it.
 * @param where a condition that the document must meet when the tree is locked
 * @throws AppError `not_found`, also for a document of a building that the person may not see
 */
export async function lockDocument(
  command: Pick<Command, 'tx' | 'actor'>,
  id: string,
  where: SQL | undefined,
  message: string = documentMessages.gone,
): Promise<Document> {
  const { tx, actor } = command;
  const theirs = and(eq(documents.id, id), visibleTo(actor, documents.buildingId));
  const [known] = await tx.select({ buildingId: documents.buildingId }).from(documents).where(theirs);
  if (known === undefined) throw new AppError('not_found', { message });
  await lockTree(command, known.buildingId);
  const [found] = await selectDocuments(tx).where(and(theirs, where));
  if (found === undefined) throw new AppError('not_found', { message });
  return toDocument(found);
}

/** @throws AppError `invalid` if the discipline is not in use, because it takes no new documents */
export async function assertDisciplineInUse(tx: Transaction, disciplineId: string | null): Promise<void> {
  if (disciplineId === null) return;
  // Locked, so that it stays in use until the commit.
  const [found] = await tx
    .select({ isActive: disciplines.isActive })
    .from(disciplines)
    .where(eq(disciplines.id, disciplineId))
    .for('share');
  if (found?.isActive !== true) throw refusal(documentMessages.disciplineGone);
}

/** @throws AppError `invalid` if folders would be too deep inside each other */
export function assertDepth(deepest: number): void {
  if (deepest > FOLDER_DEPTH_MAX) throw refusal(documentMessages.tooDeep(FOLDER_DEPTH_MAX));
}

export function refusal(message: string): AppError {
  return new AppError('invalid', { data: { fields: {} }, message });
}

type Root = Pick<Document, 'id' | 'fileName' | 'isFolder' | 'folderPath'>;

/**
 * Moves documents into a container, with everything below them, deleted or not. A name that is taken there gets a number.
 * @returns the ids of the documents that got another name
 * @throws AppError `invalid` if folders would be too deep inside each other
 */
export async function relocate(
  tx: Transaction,
  roots: readonly Root[],
  container: Container,
): Promise<Set<string>> {
  const { buildingId, folderId, folderPath, disciplineId } = container;
  const names = await freeNames(tx, container, roots);
  const depths = await Promise.all(roots.filter(({ isFolder }) => isFolder).map((root) => depthOf(tx, root)));
  assertDepth(folderPath.length + Math.max(0, ...depths));
  const moved = JSON.stringify(
    roots.map((root) => ({ id: root.id, name: names.get(root), depth: root.folderPath.length })),
  );
  const path = sql`string_to_array(${folderPath.join()}, ',')::uuid[]`;
  const source = sql`json_to_recordset(${moved}::json) as r (id uuid, name text, depth integer)`;
  await tx.execute(sql`
    update ${documents} d set parent_folder_id = ${folderId}::uuid, folder_path = ${path},
      discipline_id = ${disciplineId}::uuid, file_name = r.name, version = d.version + 1
    from ${source} where d.id = r.id and d.building_id = ${buildingId}::uuid`);
  await tx.execute(sql`
    update ${documents} d set folder_path = ${path} || d.folder_path[r.depth + 1:],
      discipline_id = ${disciplineId}::uuid, version = d.version + 1
    from ${source} where d.folder_path @> array[r.id] and d.building_id = ${buildingId}::uuid`);
  return new Set(roots.filter((root) => names.get(root) !== root.fileName).map(({ id }) => id));
}

/** The depth of folders in a folder, this folder included. */
async function depthOf(tx: Transaction, { id, folderPath }: Root): Promise<number> {
  const [row] = await tx
    .select({ deepest: sql<number | null>`max(cardinality(${documents.folderPath}))` })
    .from(documents)
    .where(isBelow(id));
  return row?.deepest == null ? 1 : row.deepest - folderPath.length;
}
