/** A value of a change as text: empty for null or undefined. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
