import type { LiveChange } from '../../live/types.ts';

/** A building's new name reaches the rows that carry it; what lies in the archive is out of sight. */
export function renameBuilding<Row extends { buildingId: string; buildingName: string }>(
  rows: readonly Row[],
  event: LiveChange<'building'>,
): readonly Row[] {
  if (event.op === 'del' || event.row.archivedAt !== null) {
    const kept = rows.filter(({ buildingId }) => buildingId !== event.entityId);
    return kept.length === rows.length ? rows : kept;
  }
  const { id, name } = event.row;
  if (!rows.some((row) => row.buildingId === id && row.buildingName !== name)) return rows;
  return rows.map((row) => (row.buildingId === id ? { ...row, buildingName: name } : row));
}
