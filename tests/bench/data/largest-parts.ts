import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Sql } from 'postgres';
import { CHECK_ENTRIES_MAX } from '#shared/features/checks/kinds.vocabulary.ts';
import { DEFAULT_DISPLAY_SETTINGS } from '#shared/features/displays/display-settings.ts';
import { DISPLAY_BUILDINGS_MAX } from '#shared/features/displays/displays.vocabulary.ts';
import { ARCHIVE_ENTRIES_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import { FLOORS_MAX } from '#shared/features/locations/floors.ts';
import { PHOTOS_MAX } from '#shared/features/photos/photos.vocabulary.ts';
import { BUILDING_TASKS_MAX } from '#shared/features/tasks/tasks.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { LIST_BOUNDS } from '#shared/list-bounds.ts';
import { lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createManyDocuments } from '#tests/support/rows/many-documents.ts';
import { picture } from '#tests/support/rows/photos.ts';

// Fills the parts of the largest database: for each part, one row whose lists are as long as allowed.

const DOCUMENTS = 12_000;
const DISPLAYS = 100;
const COMMENTS = 500;
/** Number of assets of each kind at a building of the register. */
const CHECKED = 100;
const HELD = 50;
/** Room for the lines of a record and the rows of lists that the measured calls add. */
const LEFT_FREE = 20;
const FILE = { bytes: 4_000, key: 'documents/bench' } as const;

/** Gives a building a few floors and tasks fewer than allowed. */
export async function fillSite(
  sql: Sql,
  { siteId, by, at, today }: { siteId: string; by: string; at: string; today: string },
): Promise<void> {
  await sql`
    insert into floors (id, building_id, level, name, is_basement, created_at)
    select gen_random_uuid(), ${siteId}, n, 'Floor ' || n, false, ${at}::timestamptz
    from generate_series(4, ${FLOORS_MAX - 1}::int) n`;
  await sql`
    insert into assets (id, name, description, type, building, location, frequency, building_id, created_at, updated_at)
    select gen_random_uuid(), 'Fan ' || n, repeat('On the roof. ', 20), (array['asset','fire_door','calorifier'])[1 + n % 3],
      'Site', 'Floor 5, Room ' || n, 'monthly', ${siteId}, ${at}::timestamptz, ${at}::timestamptz
    from generate_series(1, 5000) n`;
  await sql`
    insert into asset_locations (asset_id, building_id, floor_id, room_name)
    select a.id, a.building_id, (select id from floors where building_id = ${siteId} and level = 5), 'Room'
    from assets a where a.building_id = ${siteId} and not exists (select from asset_locations l where l.asset_id = a.id)`;
  await sql`
    insert into tasks (id, task_number, location_id, compliance_system, task_description, frequency, anchor, grid_day, due,
      created_at, updated_at)
    select gen_random_uuid(), 'SITE-T' || n, ${siteId}, 'Fire Alarm', repeat('Inspection of a part. ', 60) || n, 'monthly',
      ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz + n * interval '1 day', ${at}::timestamptz, ${at}::timestamptz
    from generate_series(1, ${BUILDING_TASKS_MAX - LEFT_FREE}::int
      - (select count(*) from tasks where location_id = ${siteId} and retired_at is null)::int) n`;
  await sql`
    insert into task_lines (id, task_id, location_id, position, kind, day, frequency, grace, recorded_by, recorded_by_name,
      recorded_at)
    select gen_random_uuid(), id, location_id, 1, 'created', ${today}, 'monthly', 'P0D', ${by}, 'Ann', ${at}::timestamptz
    from tasks t where location_id = ${siteId} and not exists (select from task_lines where task_id = t.id)`;
}

/** Makes a task with nearly the maximum of lines in its record and of certificates. */
export async function fillTask(
  sql: Sql,
  { siteId, by, today, at }: { siteId: string; by: string; today: string; at: string },
): Promise<{ id: string; due: string }> {
  const [task] = await sql<{ id: string; due: string }[]>`
    select id, due::text as due from tasks
    where location_id = ${siteId} and retired_at is null and marked_on is null order by task_number limit 1`;
  if (task === undefined) throw new Error('the site has no task');
  await sql`update tasks set frequency = 'monthly' where id = ${task.id}`;
  const lines = LIST_BOUNDS['tasks.record'] - LEFT_FREE;
  await sql`
    insert into task_lines (id, task_id, location_id, position, kind, day, occurrence, notes, recorded_by, recorded_by_name,
      recorded_at)
    select gen_random_uuid(), ${task.id}, ${siteId}, n, 'completed', ${today}::date - (${lines}::int - n), 1,
      repeat('All parts were seen. ', 20), ${by}, 'Ann', ${at}::timestamptz - (${lines}::int - n) * interval '1 day'
    from generate_series(2, ${lines}::int) n`;
  await sql`
    insert into building_documents (id, building_id, is_folder, file_name, file_type, file_size, sha256, current_version,
      completion_id, uploaded_by, uploaded_by_name, uploaded_at, modified_at)
    select gen_random_uuid(), ${siteId}, false, 'Certificate ' || n || '.pdf', 'application/pdf', 1000, 'x', 1, l.id, ${by},
      'Ann', ${at}::timestamptz, ${at}::timestamptz
    from generate_series(1, ${LIST_BOUNDS['documents.ofTask'] - LEFT_FREE}::int) n
    join task_lines l on l.task_id = ${task.id} and l.position = 2 + n % 2000`;
  return task;
}

/** Gives buildings nearly the maximum of test points, assets that are checked, and records that wait for a decision. */
export async function fillRegistered(
  sql: Sql,
  { registered, by, at }: { registered: readonly string[]; by: string; at: string },
): Promise<void> {
  await sql`
    insert into test_points (id, building_id, kind, name, added_by, added_at)
    select gen_random_uuid(), b, 'fire_alarm_test', 'Call point at the door of room ' || n, ${by}, ${at}::timestamptz
    from unnest(${[...registered]}::uuid[]) b, generate_series(1, ${LIST_BOUNDS['checks.register'] - LEFT_FREE}::int) n`;
  await sql`
    insert into assets (id, name, description, type, outlet_kind, building, location, building_id, created_at, updated_at)
    select gen_random_uuid(), kind || ' ' || n, 'Fixed to the wall', kind,
      case when kind = 'water_outlet' then 'cold' end, 'House', 'Ground Floor, Room ' || n, b, ${at}::timestamptz,
      ${at}::timestamptz
    from unnest(${[...registered]}::uuid[]) b, unnest(array['emergency_light', 'water_outlet', 'call_point']) kind,
      generate_series(1, ${CHECKED}::int) n`;
  // The first building gets as many outlets as one visit may have entries.
  await sql`
    insert into assets (id, name, description, type, outlet_kind, building, location, building_id, created_at, updated_at)
    select gen_random_uuid(), 'Tap ' || n, 'At the sink', 'water_outlet', 'cold', 'House', 'Room ' || n,
      ${registered[0] ?? ''}, ${at}::timestamptz, ${at}::timestamptz
    from generate_series(1, ${CHECK_ENTRIES_MAX}::int) n`;
  await sql`
    insert into asset_locations (asset_id, building_id, room_name)
    select a.id, a.building_id, 'Room' from assets a
    where a.building_id = any(${[...registered]}::uuid[]) and not exists (select from asset_locations l where l.asset_id = a.id)`;
  const outlets = await sql<{ id: string }[]>`
    select id from assets where building_id = ${registered[0] ?? ''} and type = 'water_outlet'
    order by id limit ${CHECK_ENTRIES_MAX}`;
  for (let n = 0; n < HELD; n += 1) {
    const visit = visitOf('water_temperature_check', {
      buildingId: registered[0] ?? '',
      now: at,
      entries: outlets.map(({ id }) => lineOf('water_temperature_check', 'pass', id)),
    });
    const row = {
      id: visit.visitId,
      building_id: visit.buildingId,
      kind: visit.kind,
      recorded_by: by,
      recorded_by_name: 'Ann',
      received_at: at,
      input: JSON.stringify(visit),
    };
    await sql`insert into held_visits ${sql(row)}`;
  }
}

export type LargestDocuments = {
  buildingId: string;
  disciplineId: string;
  largeFolderId: string;
  /** A folder that has, with everything below it, as many entries as an archive may have. */
  archived: string;
  /** A document with a few versions fewer than allowed, and its first version. */
  documentId: string;
  versionId: string;
  /** Files of one folder. */
  some: string[];
};

/** Fills a building with documents; all of them have the same bytes ({@link writeFiles}). */
export async function fillDocuments(
  sql: Sql,
  { buildingId, by, at, now }: { buildingId: string; by: string; at: string; now: Date },
): Promise<LargestDocuments> {
  const { largeFolderId, disciplineId } = await createManyDocuments(sql, {
    documents: DOCUMENTS,
    now,
    at: buildingId,
  });
  const archived = uuidv7();
  const folder = {
    building_id: buildingId,
    is_folder: true,
    folder_color: 'blue',
    discipline_id: disciplineId,
  };
  const uploaded = { uploaded_by: by, uploaded_by_name: 'Ann', uploaded_at: at, modified_at: at };
  await sql`insert into building_documents ${sql({ id: archived, file_name: 'Archived', ...folder, ...uploaded })}`;
  const parts = 99;
  await sql`
    insert into building_documents (id, building_id, is_folder, file_name, folder_color, discipline_id, parent_folder_id,
      folder_path, uploaded_by, uploaded_by_name, uploaded_at, modified_at)
    select gen_random_uuid(), ${buildingId}, true, 'Part ' || n, 'green', ${disciplineId}, ${archived}, array[${archived}::uuid],
      ${by}, 'Ann', ${at}::timestamptz, ${at}::timestamptz
    from generate_series(1, ${parts}::int) n`;
  await sql`
    insert into building_documents (id, building_id, is_folder, file_name, discipline_id, parent_folder_id, folder_path,
      file_type, file_size, sha256, current_version, uploaded_by, uploaded_by_name, uploaded_at, modified_at)
    select gen_random_uuid(), ${buildingId}, false, 'Certificate of the yearly inspection, part ' || n || '.pdf',
      ${disciplineId}, f.id, f.folder_path || f.id, 'application/pdf', ${FILE.bytes}::int, 'x', 1, ${by}, 'Ann',
      ${at}::timestamptz, ${at}::timestamptz
    from (select *, row_number() over (order by id) - 1 as nth from building_documents where parent_folder_id = ${archived}) f
    join generate_series(1, ${ARCHIVE_ENTRIES_MAX - 1 - parts}::int) n on n % ${parts}::int = f.nth`;
  const file = {
    ...{
      id: uuidv7(),
      purpose: 'document',
      state: 'stored',
      store: 'disk',
      key: FILE.key,
      bytes: FILE.bytes,
    },
    ...{ sha256: 'x', content_type: 'application/pdf', uploaded_by: by, announced_at: at, received_at: at },
  };
  await sql`insert into stored_files ${sql(file)}`;
  const [document] = await sql<{ id: string }[]>`
    select id from building_documents where building_id = ${buildingId} and not is_folder and ${archived} = any(folder_path)
    order by id limit 1`;
  const documentId = document?.id ?? '';
  const versions = LIST_BOUNDS['documents.byId'] - LEFT_FREE;
  await sql`
    insert into document_versions (id, document_id, number, file_id, file_size, file_type, sha256, thumbnail, uploaded_by,
      uploaded_by_name, uploaded_at)
    select gen_random_uuid(), d.id, n, ${file.id}, ${FILE.bytes}::int, 'application/pdf', 'x',
      case when d.id = ${documentId} then ${randomBytes(30_000)}::bytea end, ${by}, 'Ann', ${at}::timestamptz
    from building_documents d
    cross join lateral generate_series(1, case when d.id = ${documentId} then ${versions}::int else 1 end) n
    where d.building_id = ${buildingId} and not d.is_folder`;
  await sql`
    update building_documents set current_version = ${versions}, has_thumbnail = true where id = ${documentId}`;
  const [first] = await sql<{ id: string }[]>`
    select id from document_versions where document_id = ${documentId} and number = 1`;
  const some = await sql<{ id: string }[]>`
    select id from building_documents where parent_folder_id = ${largeFolderId} and not is_folder order by id limit 1500`;
  const missing = LIST_BOUNDS['documents.disciplines.list'] - LEFT_FREE;
  await sql`
    insert into disciplines (id, name, created_at)
    select gen_random_uuid(), 'Discipline ' || n, ${at}::timestamptz
    from generate_series(1, ${missing}::int - (select count(*) from disciplines)::int) n`;
  return {
    ...{ buildingId, disciplineId, largeFolderId, archived, documentId },
    versionId: first?.id ?? '',
    some: some.map(({ id }) => id),
  };
}

export type LargestDisplays = {
  /** A display that shows as many buildings as may be chosen. */
  wide: string;
  some: string[];
  /** The credential of a display that shows all buildings. */
  cookie: string;
};

/** Makes displays: one of all buildings, twenty with as many buildings as may be chosen, and others without buildings. */
export async function fillDisplays(
  sql: Sql,
  { buildings, by, at }: { buildings: readonly string[]; by: string; at: string },
): Promise<LargestDisplays> {
  const ids = Array.from({ length: DISPLAYS }, () => uuidv7());
  const [all = '', wide = ''] = ids;
  await sql`
    insert into displays (id, name, view, all_buildings, settings, created_at, created_by)
    select id, 'Reception', 'manager', id = ${all}, ${JSON.stringify(DEFAULT_DISPLAY_SETTINGS)}::text::jsonb,
      ${at}::timestamptz, ${by}
    from unnest(${ids}::uuid[]) id`;
  await sql`
    insert into display_buildings (display_id, building_id)
    select d, b from unnest(${ids.slice(1, 21)}::uuid[]) d,
      unnest(${buildings.slice(0, DISPLAY_BUILDINGS_MAX)}::uuid[]) b`;
  const token = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(token).digest('hex');
  await sql`insert into display_credentials ${sql({ display_id: all, hash, created_at: at })}`;
  return { wide, some: ids.slice(21), cookie: `display=${token}` };
}

/** Gives an issue comments and nearly the maximum of photos. @returns a photo */
export async function fillIssue(
  sql: Sql,
  { issueId, by, at }: { issueId: string; by: string; at: string },
): Promise<string> {
  await sql`
    insert into issue_comments (id, issue_id, building_id, body, author_id, author_name, created_at)
    select gen_random_uuid(), i.id, i.building_id, repeat('Seen again on the visit. ', 200), ${by}, 'Ann',
      ${at}::timestamptz - n * interval '1 hour'
    from building_issues i, generate_series(1, ${COMMENTS}::int) n where i.id = ${issueId}`;
  const ids = Array.from({ length: PHOTOS_MAX - 2 }, () => uuidv7());
  await sql`
    insert into stored_files (id, purpose, state, store, key, bytes, sha256, content_type, uploaded_by, announced_at,
      received_at)
    select id, 'photo', 'stored', 'disk', ${PHOTO_KEY}::text || id::text, ${picture().byteLength}::int, 'x', 'image/png', ${by},
      ${at}::timestamptz, ${at}::timestamptz
    from unnest(${ids}::uuid[]) id`;
  await sql`
    insert into photos (id, on_kind, on_id, building_id, width, height, thumbnail, taken_at, uploaded_by, uploaded_by_name)
    select p, 'issue', i.id, i.building_id, 1, 1, ${randomBytes(20_000)}::bytea, ${at}::timestamptz, ${by}, 'Ann'
    from unnest(${ids}::uuid[]) p, building_issues i where i.id = ${issueId}`;
  return ids[0] ?? '';
}

const PHOTO_KEY = 'photos/bench-';

/** Writes the bytes of the documents and of a photo to the folder in which a server stores files. */
export async function writeFiles(dataDir: string, photoId: string): Promise<void> {
  const files = { [FILE.key]: randomBytes(FILE.bytes), [`${PHOTO_KEY}${photoId}`]: picture() };
  for (const [key, bytes] of Object.entries(files)) {
    const path = join(dataDir, 'files', ...key.split('/'));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
}
