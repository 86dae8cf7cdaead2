/**
 * A number as screens show it: 1,234. Small whole numbers do not use the browser's formatter, because its first use takes a
 * quarter of a second on a cheap phone.
 */
export function formatNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1_000 ? String(value) : value.toLocaleString('en-GB');
}
