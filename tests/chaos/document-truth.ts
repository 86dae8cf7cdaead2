import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import type {
  Document,
  DocumentPage,
  DocumentRoot,
  FolderTrail,
} from '#shared/features/documents/documents.ts';
import type { DocumentListInput } from '#web/features/documents/data/fold-documents.ts';
import type { Entry } from './ledger.ts';
import { readDay } from './task-truth.ts';

// The true state of documents, read directly from the tables and from the folder of the bytes.

type Person = { role: string; buildings: string[] };

export const sees = ({ role, buildings }: Person, buildingId: string): boolean =>
  role === 'admin' || buildings.includes(buildingId);

const time = (sql: Sql, column: string) =>
  sql`to_char(d.${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function columns(sql: Sql) {
  return sql`
    d.id, d.building_id as "buildingId", d.parent_folder_id as "parentFolderId", d.folder_path::text[] as "folderPath",
    d.is_folder as "isFolder", d.file_name as "fileName", d.description, d.discipline_id as "disciplineId",
    d.folder_color as "folderColor", d.file_type as "fileType", d.file_size::float8 as "fileSize", d.sha256,
    d.current_version as "currentVersion", d.has_thumbnail as "hasThumbnail", d.expires_on::text as "expiresOn",
    null as proof, d.uploaded_by as "uploadedBy", d.uploaded_by_name as "uploadedByName",
    ${time(sql, 'uploaded_at')} as "uploadedAt", d.modified_by_name as "modifiedByName",
    ${time(sql, 'modified_at')} as "modifiedAt", ${time(sql, 'deleted_at')} as "deletedAt",
    d.deleted_by_name as "deletedByName", d.deleted_with as "deletedWith", d.version`;
}

/** The folder, if it is in use. */
async function folderWith(sql: Sql, id: string): Promise<Document | undefined> {
  const [row] = await sql<Document[]>`
    select ${columns(sql)} from building_documents d where d.id = ${id} and d.is_folder and d.deleted_at is null`;
  return row;
}

/** The expected list of documents; undefined if its place is gone, or may not be seen. */
export async function trueDocumentList(
  sql: Sql,
  person: Person,
  input: DocumentListInput,
): Promise<Omit<DocumentPage, 'nextCursor'> | undefined> {
  const { buildingId, place, search, sort, direction, foldersOnly } = input;
  if (!sees(person, buildingId)) return undefined;
  if (place.at === 'folder' && (await folderWith(sql, place.folderId)) === undefined) return undefined;
  const deep = search !== '';
  const inDiscipline =
    place.at === 'discipline'
      ? sql`d.discipline_id is not distinct from ${place.disciplineId}::uuid`
      : sql`true`;
  const inFolder =
    place.at === 'folder'
      ? deep
        ? sql`${place.folderId}::uuid = any(d.folder_path)`
        : sql`d.parent_folder_id = ${place.folderId}`
      : deep
        ? sql`true`
        : sql`d.parent_folder_id is null`;
  // Short texts are searched only at the beginning.
  const last = /[a-z0-9]{3}/i.test(search) ? sql`1000` : sql`1`;
  const found = sql`(strpos(d.search_key, search_key(${search})) between 1 and ${last}
    or strpos(search_key(coalesce(c.name, 'General')), search_key(${search})) between 1 and ${last})`;
  const key = { name: sql`null::text`, modified: sql`d.modified_at`, size: sql`coalesce(d.file_size, 0)` };
  const way = direction === 'asc' ? sql`asc` : sql`desc`;
  const rows = await sql<Document[]>`
    select ${columns(sql)} from building_documents d left join disciplines c on c.id = d.discipline_id
    where d.building_id = ${buildingId} and d.deleted_at is null and ${inDiscipline} and ${inFolder}
      and (d.is_folder or not ${foldersOnly}) and ${deep ? found : sql`true`}
    order by d.is_folder desc, ${key[sort]} ${way}, d.sort_key collate "C" ${way}, d.id ${way}`;
  const totalIsLeast = deep && rows.length > 1_000;
  const total = totalIsLeast ? 1_000 : rows.length;
  return { rows: [...rows], total, totalIsLeast, today: await readDay(sql) };
}

/** The expected disciplines of a building; their documents are counted, not taken from the tallies. */
export async function trueRoot(
  sql: Sql,
  person: Person,
  buildingId: string,
): Promise<DocumentRoot | undefined> {
  if (!sees(person, buildingId)) return undefined;
  const disciplines = await sql<DocumentRoot['disciplines'][number][]>`
    select c.id as "disciplineId", c.name, c."isActive",
      (count(d.id) filter (where not d.is_folder))::int as files,
      (count(d.id) filter (where d.is_folder))::int as folders,
      coalesce(sum(d.file_size), 0)::float8 as bytes, 0 as expired, 0 as "expiresSoon"
    from (select id, name, is_active as "isActive" from disciplines union all select null, null, true) c
      left join building_documents d on d.building_id = ${buildingId} and d.deleted_at is null
        and d.discipline_id is not distinct from c.id
    group by c.id, c.name, c."isActive"
    having count(d.id) > 0 or (c."isActive" and c.id is not null)
    order by c.id is null, sort_key(c.name) collate "C", c.id`;
  return { disciplines: [...disciplines], today: await readDay(sql) };
}

/** The expected path to a folder; undefined if the folder is gone, or may not be seen. */
export async function trueTrail(
  sql: Sql,
  person: Person,
  folderId: string,
): Promise<FolderTrail | undefined> {
  const folder = await folderWith(sql, folderId);
  if (folder === undefined || !sees(person, folder.buildingId)) return undefined;
  const { buildingId, disciplineId } = folder;
  const folders: FolderTrail['folders'] = [];
  for (const id of [...folder.folderPath, folderId]) {
    const on = await folderWith(sql, id);
    if (on !== undefined) folders.push({ id, fileName: on.fileName, folderColor: on.folderColor });
  }
  return { buildingId, disciplineId, folders };
}

/** A document with its versions, without its last viewer; undefined if it is gone, or may not be seen. */
export async function trueDetails(sql: Sql, person: Person, id: string): Promise<object | undefined> {
  const [document] = await sql<Document[]>`
    select ${columns(sql)} from building_documents d where d.id = ${id} and d.deleted_at is null`;
  if (document === undefined || !sees(person, document.buildingId)) return undefined;
  const versions = await sql`
    select d.id, d.number, d.file_size::float8 as "fileSize", d.file_type as "fileType", d.sha256,
      d.thumbnail is not null as "hasThumbnail", d.uploaded_by_name as "uploadedByName",
      ${time(sql, 'uploaded_at')} as "uploadedAt"
    from document_versions d where d.document_id = ${id} order by d.number desc`;
  return { document, versions: [...versions] };
}

/** The expected bin of a building; undefined for those who may not see it. */
export async function trueBin(sql: Sql, person: Person, buildingId: string): Promise<unknown[] | undefined> {
  if (person.role !== 'admin') return undefined;
  const rows = await sql`
    select ${columns(sql)},
      (select count(*) filter (where not i.is_folder) from building_documents i where i.deleted_with = d.id)::int as files,
      (select count(*) filter (where i.is_folder) from building_documents i where i.deleted_with = d.id)::int as folders,
      (select coalesce(sum(i.file_size), 0) from building_documents i where i.deleted_with = d.id)::float8 as bytes
    from building_documents d where d.building_id = ${buildingId} and d.deleted_with = d.id
    order by d.deleted_at desc, d.id desc`;
  return [...rows];
}

/** Violated invariants of the tree, its versions, their files and the tallies. */
export async function problemsOfDocuments(sql: Sql): Promise<string[]> {
  const rules: readonly [rule: string, broken: Promise<readonly { id: string }[]>][] = [
    [
      'is not where its parent is',
      sql`
        select d.id from building_documents d left join building_documents p on p.id = d.parent_folder_id
        where d.folder_path <> case when d.parent_folder_id is null then '{}'::uuid[] else p.folder_path || p.id end
          or (d.parent_folder_id is not null and (not p.is_folder or p.building_id <> d.building_id
            or p.discipline_id is distinct from d.discipline_id))`,
    ],
    [
      'is in use in a deleted folder',
      sql`
        select d.id from building_documents d join building_documents p on p.id = d.parent_folder_id
        where d.deleted_at is null and p.deleted_at is not null`,
    ],
    [
      'was deleted with what is in use',
      sql`
        select d.id from building_documents d join building_documents r on r.id = d.deleted_with
        where r.deleted_at is distinct from d.deleted_at`,
    ],
    [
      'is not what its current version is',
      sql`
        select d.id from building_documents d
          left join document_versions v on v.document_id = d.id and v.number = d.current_version
        where not d.is_folder and (d.file_size, d.file_type, d.sha256) is distinct from (v.file_size, v.file_type, v.sha256)`,
    ],
    [
      'has gaps in its versions',
      sql`
        select d.id from building_documents d join document_versions v on v.document_id = d.id
        group by d.id having max(v.number) <> count(*) or max(v.number) <> d.current_version`,
    ],
    [
      'has a version whose file is in another state',
      sql`
        select d.id from building_documents d join document_versions v on v.document_id = d.id
          join stored_files f on f.id = v.file_id
        where f.state <> case when d.deleted_at is null then 'stored' else 'removed' end
          or (f.sha256, f.bytes) is distinct from (v.sha256, v.file_size)`,
    ],
    [
      'is a stored file without a document',
      sql`
        select f.id from stored_files f where f.purpose = 'document' and f.state <> 'reserved'
          and not exists (select 1 from document_versions v where v.file_id = f.id)`,
    ],
    [
      'is an upload without its file, or a reserved file without its upload',
      sql`
        select coalesce(u.file_id, f.id) as id from document_uploads u
          full join (select id from stored_files where purpose = 'document' and state = 'reserved') f on f.id = u.file_id
        where u.file_id is null or f.id is null`,
    ],
    [
      'is a building whose tallies are no count',
      sql`
        select coalesce(c.building_id, t.building_id) as id from (
          select building_id, discipline_id, count(*) filter (where not is_folder) as files,
            count(*) filter (where is_folder) as folders, coalesce(sum(file_size), 0) as bytes
          from building_documents where deleted_at is null group by 1, 2) c
        full join document_tallies t on t.building_id = c.building_id
          and t.discipline_id is not distinct from c.discipline_id
        where (coalesce(c.files, 0), coalesce(c.folders, 0), coalesce(c.bytes, 0))
          is distinct from (coalesce(t.files, 0), coalesce(t.folders, 0), coalesce(t.bytes, 0))`,
    ],
  ];
  const problems: string[] = [];
  for (const [rule, broken] of rules)
    for (const { id } of await broken) problems.push(`document ${id} ${rule}`);
  return problems;
}

/** Verifies the answers to uploads: an accepted file is stored with these bytes, a refused file is not stored. */
export async function liesOfUploads(sql: Sql, entries: readonly Entry[]): Promise<string[]> {
  const rows = await sql<{ id: string; sha256: string; documents: string[]; version: number }[]>`
    select f.id, f.sha256, array_agg(distinct v.document_id::text) as documents, max(d.version) as version
    from stored_files f join document_versions v on v.file_id = f.id join building_documents d on d.id = v.document_id
    where f.state <> 'reserved' group by f.id`;
  const stored = new Map(rows.map((row) => [row.id, row]));
  return entries.flatMap(({ kind, id, told, code, version = 0, sha256, documentId }) => {
    if (kind !== 'upload') return [];
    const row = stored.get(id);
    if (told === 'refused' && row !== undefined)
      return [`upload ${id} was said to be refused (${code}), and is stored`];
    if (row !== undefined && row.sha256 !== sha256) return [`upload ${id} has other bytes`];
    if (told !== 'done') return [];
    const isThere = row !== undefined && row.documents.join() === documentId && row.version >= version;
    return isThere
      ? []
      : [`upload ${id} was said to be ${documentId}, and is ${row?.documents ?? 'nothing'}`];
  });
}

/** Compares the rows of files with the bytes on the disk, after a sweep of all leftovers. */
export async function problemsOfBytes(sql: Sql, dataDir: string): Promise<string[]> {
  const rows = await sql<{ key: string; state: string; sha256: string | null }[]>`
    select key, state, sha256 from stored_files`;
  const problems: string[] = [];
  const known = new Map(rows.map((row) => [row.key, row]));
  const kept = new Set(await filesBelow(join(dataDir, 'files')));
  for (const key of kept) if (!known.has(key)) problems.push(`${key} has bytes and no row`);
  for (const { key, state, sha256 } of rows) {
    if (state === 'reserved') problems.push(`${key} is still reserved after a sweep`);
    else if (!kept.has(key)) problems.push(`${key} is ${state} and has no bytes`);
    else if (
      createHash('sha256')
        .update(await readFile(join(dataDir, 'files', key)))
        .digest('hex') !== sha256
    )
      problems.push(`${key} has other bytes than its hash says`);
  }
  for (const name of await filesBelow(join(dataDir, 'uploads')))
    problems.push(`${name} is left of an upload`);
  return problems;
}

/** The paths of all files below a folder; none if there is no such folder. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}
