/**
 * A number as screens show it: 1,234. Small whole numbers do without the browser's formatter, whose first use takes a cheap
 * phone a quarter of a second.
 */
export function formatNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1_000 ? String(value) : value.toLocaleString('en-GB');
}
