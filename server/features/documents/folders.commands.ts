import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { documents } from '#db/schema/documents.ts';
import { AppError } from '#shared/errors.ts';
import type {
  CreateFolderInput,
  CreateFoldersInput,
  FoldersMade,
} from '#shared/features/documents/documents.ts';
import { DEFAULT_FOLDER_COLOR, type FolderColor } from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isDuplicate } from '../../kernel/database-errors.ts';
import { recordedName } from '../../kernel/person-names.ts';
import { inUse } from './document-filter.ts';
import { type Container, containerIdOf, findContainer } from './document-places.ts';
import { readDocuments } from './document-row.ts';
import { assertDepth, assertDisciplineInUse, lockTree } from './document-tree.ts';
import { visibleDocument } from './documents.queries.ts';

/** Makes a folder. A place has no two folders whose names look the same. */
export function createFolder(
  ctx: SignedInContext,
  input: CreateFolderInput,
): Promise<{ id: string; version: number }> {
  return runCommand(ctx, 'documents.createFolder', input, async (command) => {
    const { id, name, color } = input;
    const container = await lockContainer(command, input);
    assertDepth(container.folderPath.length + 1);
    await refuseTakenId(command, id);
    try {
      await insertFolders(command, [{ id, name, color, container }]);
    } catch (error) {
      if (!isDuplicate(error, 'building_documents_name_once')) throw error;
      throw new AppError('invalid', { data: { fields: { name: documentMessages.folderTaken(name) } } });
    }
    return tell(command, id);
  });
}

async function lockContainer(
  command: Command,
  input: Pick<CreateFolderInput, 'buildingId' | 'place'>,
): Promise<Container> {
  await lockTree(command, input.buildingId);
  const container = await findContainer(command.tx, command.actor, input.buildingId, input.place);
  await assertDisciplineInUse(command.tx, container.disciplineId);
  return container;
}

/**
 * Refuses an id that is taken. Clients make ids, so the error must not reveal a document that the person may not see.
 */
async function refuseTakenId({ tx, actor }: Command, id: string): Promise<void> {
  const [taken] = await tx
    .select({ seen: sql<boolean>`coalesce(${visibleDocument(actor, id)}, false)` })
    .from(documents)
    .where(eq(documents.id, id));
  if (taken !== undefined) throw new AppError(taken.seen ? 'duplicate' : 'not_found');
}

async function tell(command: Command, id: string): Promise<{ id: string; version: number }> {
  const [row] = await readDocuments(command.tx, [id]);
  if (row === undefined) throw new Error(`folder ${id} is gone in the transaction that made it`);
  await command.record({ entity: 'document', op: 'put', row, changes: null });
  return { id, version: row.version };
}

/** Makes the folders on these paths; uses an existing folder if its name looks the same. */
export function createFolders(ctx: SignedInContext, input: CreateFoldersInput): Promise<FoldersMade> {
  return runCommand(ctx, 'documents.createFolders', input, async (command) => {
    const top = await lockContainer(command, input);
    assertDepth(top.folderPath.length + Math.max(...input.paths.map((path) => path.length)));
    const made: string[] = [];
    let reached: Container[] = input.paths.map(() => top);
    for (let level = 0; reached.length > 0 && input.paths.some((path) => path.length > level); level += 1) {
      const steps = input.paths.flatMap((path, at) => {
        const [name, container] = [path[level], reached[at]];
        return name === undefined || container === undefined ? [] : [{ at, name, container }];
      });
      const ids = await findOrMake(command, steps, made);
      reached = reached.map((container, at) => {
        const id = ids.get(at);
        return id === undefined
          ? container
          : { ...container, folderId: id, folderPath: [...container.folderPath, id] };
      });
    }
    const [first] = made;
    if (first !== undefined && made.length === 1) await tell(command, first);
    else if (first !== undefined)
      await command.recordBulk({ entity: 'document', buildingId: top.buildingId });
    const folderIds = reached.flatMap(({ folderId }) => folderId ?? []);
    return { id: command.actor.userId, version: made.length, made: made.length, folderIds };
  });
}

type Step = { at: number; name: string; container: Container };

/** Returns the id of each step's folder, by the number of its path; adds new folders to `made`. */
async function findOrMake(
  command: Command,
  steps: readonly Step[],
  made: string[],
): Promise<Map<number, string>> {
  const keyOf = (container: string, name: string) => `${container}/${nameKey(name)}`;
  const parents = [...new Set(steps.map(({ container }) => containerIdOf(container)))];
  const known = await foldersIn(command.tx, steps[0]?.container.buildingId ?? '', parents);
  const ids = new Map(known.map(({ id, containerId, nameKey }) => [`${containerId}/${nameKey}`, id]));
  const fresh = new Map<string, NewFolder>();
  for (const { name, container } of steps) {
    const key = keyOf(containerIdOf(container), name);
    if (ids.has(key)) continue;
    const id = uuidv7();
    ids.set(key, id);
    fresh.set(key, { id, name, color: DEFAULT_FOLDER_COLOR, container });
  }
  await insertFolders(command, [...fresh.values()]);
  made.push(...[...fresh.values()].map(({ id }) => id));
  return new Map(
    steps.flatMap(({ at, name, container }) => {
      const id = ids.get(keyOf(containerIdOf(container), name));
      return id === undefined ? [] : [[at, id] as const];
    }),
  );
}

function foldersIn(tx: Transaction, buildingId: string, containerIds: readonly string[]) {
  return tx
    .select({ id: documents.id, containerId: documents.containerId, nameKey: documents.nameKey })
    .from(documents)
    .where(
      and(
        inUse,
        eq(documents.buildingId, buildingId),
        isAnyOf(documents.containerId, containerIds),
        documents.isFolder,
      ),
    );
}

type NewFolder = { id: string; name: string; color: FolderColor; container: Container };

/** One parameter for all of them, because there may be hundreds. */
async function insertFolders({ tx, actor, now }: Command, folders: readonly NewFolder[]): Promise<void> {
  if (folders.length === 0) return;
  const rows = folders.map(({ id, name, color, container }) => ({
    id,
    name,
    color,
    building: container.buildingId,
    parent: container.folderId,
    path: container.folderPath,
    discipline: container.disciplineId,
  }));
  await tx.execute(sql`
    insert into ${documents} (id, building_id, is_folder, file_name, folder_color, parent_folder_id, folder_path,
      discipline_id, uploaded_by, uploaded_by_name, uploaded_at, modified_at)
    select f.id, f.building, true, f.name, f.color, f.parent, f.path, f.discipline, ${actor.userId}::uuid,
      ${recordedName(actor)}, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as f (id uuid, building uuid, name text, color text,
      parent uuid, path uuid[], discipline uuid)`);
}
