/** What was typed as a number, with a comma or a point; NaN where it is none, undefined where nothing was typed. */
export function typedNumber(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  // Only plain decimals: Number() alone would take "1e3" and "0x1f".
  return /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN;
}

/** One step on from what was typed, within its bounds, without the tails of binary fractions; undefined where there is nothing to step from. */
export function stepped(
  text: unknown,
  by: number,
  { min, max, digits }: { min: number; max: number; digits: number },
): string | undefined {
  const value = typedNumber(text);
  if (value === undefined || Number.isNaN(value)) return undefined;
  return Math.min(max, Math.max(min, value + by)).toFixed(digits);
}
