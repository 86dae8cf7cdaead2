/** The limits of a reading in °C, the only unit that is measured. Both ends are included; null means no limit. */
export type Limits = { min: number | null; max: number | null };

export function isSatisfactory(value: number, { min, max }: Limits): boolean {
  return (min === null || value >= min) && (max === null || value <= max);
}

/** Whether a reading is exactly on a limit: it is satisfactory, but worth mentioning. */
export function isAtLimit(value: number, { min, max }: Limits): boolean {
  return value === min || value === max;
}

/** The limits in words: "at most 20 °C", "at least 50 °C". */
export function formatLimits({ min, max }: Limits): string {
  const parts = [
    ...(min === null ? [] : [`at least ${min} °C`]),
    ...(max === null ? [] : [`at most ${max} °C`]),
  ];
  return parts.join(', ');
}
