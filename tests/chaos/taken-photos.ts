import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';
import { uuidv7 } from '#shared/ids.ts';
import { picture } from '#tests/support/rows/photos.ts';
import type { TakenPhoto } from '#web/features/photos/taken-photo.ts';

/** A photo as the phone recorded it. */
export type NotedPhoto = {
  id: string;
  sha256: string;
  personId: string;
  /** The mark of the submission that it belongs to. */
  mark: string;
  /** The mark or title of the subject of the photo: that submission, or an issue. */
  on: string;
};

/** Makes photos, each with bytes of its own. */
export function takePhotos(count: number): TakenPhoto[] {
  return Array.from({ length: count }, () => {
    const bytes = picture(5_000);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const blob = new Blob([new Uint8Array(bytes)], { type: 'image/png' });
    return { id: uuidv7(), blob, sha256, contentType: 'image/png', about: { width: 1, height: 1 } };
  });
}

/**
 * Compares the photos on the server with the recorded ones: each must exist once, complete, from its photographer, and on
 * the right row.
 */
export async function problemsOfPhotos(sql: Sql, noted: readonly NotedPhoto[]): Promise<string[]> {
  const rows = await sql<(Omit<NotedPhoto, 'mark'> & { state: string })[]>`
    select p.id, f.sha256, p.uploaded_by as "personId", f.state, coalesce(i.title, v.operative_name, l.notes, 'nothing') as on
    from photos p
      join stored_files f on f.id = p.id
      left join building_issues i on p.on_kind = 'issue' and i.id = p.on_id
      left join task_lines l on p.on_kind = 'completion' and l.id = p.on_id
      left join check_entries e on p.on_kind = 'check' and e.id = p.on_id
      left join operative_visits v on v.id = e.visit_id`;
  const stored = new Map(rows.map((row) => [row.id, row]));
  const wrong = noted.flatMap(({ id, sha256, personId, on }) => {
    const row = stored.get(id);
    if (row === undefined) return [`photo ${id} of ${on} is not there`];
    stored.delete(id);
    return [
      ...(row.state === 'stored' ? [] : [`photo ${id} of ${on} is only ${row.state}`]),
      ...(row.sha256 === sha256 ? [] : [`photo ${id} of ${on} has other bytes`]),
      ...(row.personId === personId ? [] : [`photo ${id} of ${on} is in a wrong name`]),
      ...(row.on === on ? [] : [`photo ${id} of ${on} hangs on ${row.on}`]),
    ];
  });
  return [...wrong, ...[...stored.values()].map(({ id, on }) => `photo ${id} of ${on}: no one took it`)];
}
