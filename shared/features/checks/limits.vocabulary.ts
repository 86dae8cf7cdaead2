/** What a reading is judged by, °C, which is all that is measured. Both ends belong to it; null is open. */
export type Limits = { min: number | null; max: number | null };

export function isSatisfactory(value: number, { min, max }: Limits): boolean {
  return (min === null || value >= min) && (max === null || value <= max);
}

/** Satisfactory, but exactly on the limit: worth a word. */
export function isAtLimit(value: number, { min, max }: Limits): boolean {
  return value === min || value === max;
}

/** "at most 20 °C", "at least 50 °C". */
export function formatLimits({ min, max }: Limits): string {
  const parts = [
    ...(min === null ? [] : [`at least ${min} °C`]),
    ...(max === null ? [] : [`at most ${max} °C`]),
  ];
  return parts.join(', ');
}
