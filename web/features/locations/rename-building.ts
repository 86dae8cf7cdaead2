import type { LiveChange } from '../../live/types.ts';

/**
 * Updates the building's name in rows that carry it, and drops rows of an archived or deleted building. Returns the
 * same array when nothing changes.
 */
export function renameBuilding<Row extends { buildingId: string; buildingName: string }>(
  rows: Row[],
  event: LiveChange<'building' | 'place'>,
): Row[] {
  if (event.op === 'del' || event.row.archivedAt !== null) {
    const kept = rows.filter(({ buildingId }) => buildingId !== event.entityId);
    return kept.length === rows.length ? rows : kept;
  }
  const { id, name } = event.row;
  if (!rows.some((row) => row.buildingId === id && row.buildingName !== name)) return rows;
  return rows.map((row) => (row.buildingId === id ? { ...row, buildingName: name } : row));
}
