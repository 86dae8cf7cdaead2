import type { Sql } from 'postgres';
import { uuidv7 } from '#shared/ids.ts';
import { createManyAssets } from './many-assets.ts';
import { createPeople } from './population.ts';

/** Number of folders at the top of each discipline, and of folders in each of them. */
const TOP = 10;
const BELOW = 10;
const DISCIPLINES = ['Asbestos', 'Electrical', 'Fire Safety', 'Lifts', 'Water Hygiene'] as const;

/**
 * Fills one building with documents by plain SQL, without events and bytes, to measure reads with much data: a fifth of them
 * in one folder, the others spread over 500 folders inside of 50.
 * @param sql the owner's login
 * @param options.at the building's id; a building is created if absent
 */
export async function createManyDocuments(
  sql: Sql,
  { documents, now, at: given }: { documents: number; now: Date; at?: string },
): Promise<{ buildingId: string; largeFolderId: string; folderId: string; disciplineId: string }> {
  const [buildingId = ''] =
    given === undefined ? await createManyAssets(sql, { assets: 1, buildings: 1, now }) : [given];
  const [uploader] = await createPeople(sql, [{ role: 'admin', buildings: [] }]);
  const at = now.toISOString();
  const by = uploader?.id ?? '';
  await sql`set statement_timeout = 0`;
  const disciplines = DISCIPLINES.map((name) => ({ id: uuidv7(), name, created_at: at }));
  await sql`insert into disciplines ${sql(disciplines)}`;
  await sql`
    insert into building_documents (id, building_id, is_folder, file_name, folder_color, discipline_id, uploaded_by,
      uploaded_by_name, uploaded_at, modified_at)
    select gen_random_uuid(), ${buildingId}, true, 'Folder ' || n, 'blue', d.id, ${by}, 'Ann Weber', ${at}, ${at}
    from disciplines d, generate_series(1, ${TOP}::int) n`;
  await sql`
    insert into building_documents (id, building_id, is_folder, file_name, folder_color, discipline_id, parent_folder_id,
      folder_path, uploaded_by, uploaded_by_name, uploaded_at, modified_at)
    select gen_random_uuid(), ${buildingId}, true, 'Part ' || n, 'green', f.discipline_id, f.id, array[f.id], ${by},
      'Ann Weber', ${at}, ${at}
    from building_documents f, generate_series(1, ${BELOW}::int) n where f.is_folder`;
  await sql`
    with folders as (
      select id, discipline_id, folder_path, row_number() over (order by id) - 1 as n, count(*) over () as of
      from building_documents where parent_folder_id is not null)
    insert into building_documents (id, building_id, is_folder, file_name, discipline_id, parent_folder_id, folder_path,
      file_type, file_size, sha256, current_version, expires_on, uploaded_by, uploaded_by_name, uploaded_at, modified_at)
    select gen_random_uuid(), ${buildingId}, false,
      (array['Drawing','Certificate','Risk assessment','Manual','Survey'])[1 + d.n % 5] || ' ' || d.n || ' of level '
        || d.n % 12 || (array['.pdf','.pdf','.docx','.dwg','.jpg'])[1 + d.n % 5],
      f.discipline_id, f.id, f.folder_path || f.id, 'application/pdf', 1000 + (d.n * 7919) % 9000000, md5(d.n::text), 1,
      case when d.n % 20 = 0 then ${at}::date - 100 + d.n % 400 end, ${by}, 'Ann Weber', ${at}::timestamptz - d.n * interval '1 minute',
      ${at}::timestamptz - d.n * interval '1 minute'
    from generate_series(1, ${documents}::int) d (n)
    join folders f on f.n = case when d.n % 5 = 0 then 0 else d.n % f.of end`;
  await sql`vacuum analyze building_documents, document_tallies`;
  const [large] = await sql<{ id: string; discipline: string }[]>`
    select parent_folder_id as id, discipline_id as discipline from building_documents where not is_folder
    group by 1, 2 order by count(*) desc limit 1`;
  const [usual] = await sql<{ id: string }[]>`
    select parent_folder_id as id from building_documents where not is_folder group by 1 order by count(*) limit 1`;
  return {
    buildingId,
    largeFolderId: large?.id ?? '',
    folderId: usual?.id ?? '',
    disciplineId: large?.discipline ?? '',
  };
}
