/** A position in a year's grid. Column 0 is the row's name, column 1 the first period. */
export type GridPosition = { row: number; column: number };

/** Number of rows that Page Up and Page Down move. */
const PAGE = 10;

/** Returns the position that a key moves to; undefined for keys that do not navigate. */
export function nextGridPosition(
  { row, column }: GridPosition,
  { key, ctrlKey }: { key: string; ctrlKey: boolean },
  size: { rows: number; columns: number },
): GridPosition | undefined {
  const to = (nextRow: number, nextColumn: number): GridPosition => ({
    row: Math.max(0, Math.min(size.rows - 1, nextRow)),
    column: Math.max(0, Math.min(size.columns - 1, nextColumn)),
  });
  switch (key) {
    case 'ArrowUp':
      return to(row - 1, column);
    case 'ArrowDown':
      return to(row + 1, column);
    case 'ArrowLeft':
      return to(row, column - 1);
    case 'ArrowRight':
      return to(row, column + 1);
    case 'Home':
      return to(ctrlKey ? 0 : row, 0);
    case 'End':
      return to(ctrlKey ? size.rows - 1 : row, size.columns - 1);
    case 'PageUp':
      return to(row - PAGE, column);
    case 'PageDown':
      return to(row + PAGE, column);
    default:
      return undefined;
  }
}
