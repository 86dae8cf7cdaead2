import type { OutletKind } from '../assets.words.ts';
import type { IssuePriority } from '../issues.words.ts';

/** What an outlet is judged by, °C. Both ends belong to it; null is open. */
export type WaterLimits = { min: number | null; max: number | null };

/** In this band legionella grows, °C. */
export const GROWTH_BAND = { from: 20, to: 45 } as const;

const HEALTHCARE_HOT = 55;
const LIMITS: Readonly<Record<OutletKind, WaterLimits>> = {
  cold: { min: null, max: 20 },
  hot: { min: 50, max: null },
  // The hot feed of the mixing valve, not what comes out of the tap.
  mixed: { min: 50, max: null },
  calorifier_flow: { min: 60, max: null },
  calorifier_return: { min: 50, max: null },
};

/** The limits of an outlet; healthcare premises want hotter water. */
export function waterLimits(kind: OutletKind, healthcare: boolean): WaterLimits {
  const limits = LIMITS[kind];
  return kind === 'hot' && healthcare ? { ...limits, min: HEALTHCARE_HOT } : limits;
}

export function isSatisfactory(celsius: number, { min, max }: WaterLimits): boolean {
  return (min === null || celsius >= min) && (max === null || celsius <= max);
}

/** Satisfactory, but exactly on the limit: worth a word. */
export function isAtLimit(celsius: number, { min, max }: WaterLimits): boolean {
  return celsius === min || celsius === max;
}

/** How urgent a reading beyond its limits is: hot water in the band where legionella grows cannot wait. */
export function waterPriority(kind: OutletKind, celsius: number): IssuePriority {
  return kind !== 'cold' && celsius >= GROWTH_BAND.from && celsius <= GROWTH_BAND.to ? 'high' : 'medium';
}

/** How long an outlet runs before it is measured. */
export function runMinutes(kind: OutletKind): 1 | 2 {
  return kind === 'cold' ? 2 : 1;
}

/** "at most 20 °C", "at least 50 °C". */
export function limitsInWords({ min, max }: WaterLimits): string {
  const parts = [
    ...(min === null ? [] : [`at least ${min} °C`]),
    ...(max === null ? [] : [`at most ${max} °C`]),
  ];
  return parts.join(', ');
}
