import type { LiveChange } from '../../live/types.ts';

/**
 * A building's new name reaches the rows that carry it; what lies in the archive is out of sight. The same array where
 * the building is that of no row, or is called so already.
 */
export function renameBuilding<Row extends { buildingId: string; buildingName: string }>(
  rows: Row[],
  event: LiveChange<'building'>,
): Row[] {
  if (event.op === 'del' || event.row.archivedAt !== null) {
    const kept = rows.filter(({ buildingId }) => buildingId !== event.entityId);
    return kept.length === rows.length ? rows : kept;
  }
  const { id, name } = event.row;
  if (!rows.some((row) => row.buildingId === id && row.buildingName !== name)) return rows;
  return rows.map((row) => (row.buildingId === id ? { ...row, buildingName: name } : row));
}
