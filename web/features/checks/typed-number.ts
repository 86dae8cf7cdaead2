/** Parses a typed number with a decimal comma or point. NaN when it is not a number, undefined when empty. */
export function typedNumber(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  // Accepts plain decimals only: Number() alone would accept "1e3" and "0x1f".
  return /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN;
}

/**
 * Returns the typed number moved by one step, within its bounds and rounded to its digits. Undefined when there is no
 * number to step from.
 */
export function stepped(
  text: unknown,
  by: number,
  { min, max, digits }: { min: number; max: number; digits: number },
): string | undefined {
  const value = typedNumber(text);
  if (value === undefined || Number.isNaN(value)) return undefined;
  return Math.min(max, Math.max(min, value + by)).toFixed(digits);
}
