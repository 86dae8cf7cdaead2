import type { IssueStatus } from '#shared/features/issues/issues.vocabulary.ts';
import type { BoardColumns } from './freeze-board.ts';

/** A card's column, and its index in it. */
export type BoardPosition = { status: IssueStatus; index: number };

/** Returns the position of a card on the board. */
export function findCard(
  columns: BoardColumns,
  statuses: readonly IssueStatus[],
  id: string,
): BoardPosition | undefined {
  for (const status of statuses) {
    const index = columns[status].findIndex((row) => row.id === id);
    if (index >= 0) return { status, index };
  }
  return undefined;
}

/**
 * Returns the position that a key moves to from a card; undefined when it does not move. Left and right skip empty
 * columns.
 */
export function stepFrom(
  columns: BoardColumns,
  statuses: readonly IssueStatus[],
  place: BoardPosition,
  key: string,
): BoardPosition | undefined {
  const last = columns[place.status].length - 1;
  switch (key) {
    case 'ArrowUp':
      return place.index > 0 ? { ...place, index: place.index - 1 } : undefined;
    case 'ArrowDown':
      return place.index < last ? { ...place, index: place.index + 1 } : undefined;
    case 'Home':
      return { ...place, index: 0 };
    case 'End':
      return { ...place, index: last };
    case 'ArrowLeft':
      return beside(columns, statuses, place, -1);
    case 'ArrowRight':
      return beside(columns, statuses, place, 1);
    default:
      return undefined;
  }
}

/** Returns the value before or after the given one in a list, such as the board's next status. */
export function neighbour<T>(values: readonly T[], value: T, step: 1 | -1): T | undefined {
  const at = values.indexOf(value);
  return at < 0 ? undefined : values[at + step];
}

function beside(
  columns: BoardColumns,
  statuses: readonly IssueStatus[],
  place: BoardPosition,
  step: 1 | -1,
): BoardPosition | undefined {
  let status = neighbour(statuses, place.status, step);
  while (status !== undefined && columns[status].length === 0) status = neighbour(statuses, status, step);
  return status === undefined
    ? undefined
    : { status, index: Math.min(place.index, columns[status].length - 1) };
}
