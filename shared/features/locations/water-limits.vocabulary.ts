import type { OutletKind } from '../assets/assets.vocabulary.ts';
import type { Limits } from '../checks/limits.vocabulary.ts';
import type { IssuePriority } from '../issues/issues.vocabulary.ts';

/** The temperatures at which legionella grows, °C. */
export const GROWTH_BAND = { from: 20, to: 45 } as const;

const HEALTHCARE_HOT = 55;
const LIMITS: Readonly<Record<OutletKind, Limits>> = {
  cold: { min: null, max: 20 },
  hot: { min: 50, max: null },
  // The hot feed of the mixing valve, not the water from the tap.
  mixed: { min: 50, max: null },
  calorifier_flow: { min: 60, max: null },
  calorifier_return: { min: 50, max: null },
};

/** The limits of an outlet, °C; healthcare premises require hotter water. */
export function waterLimits(kind: OutletKind, healthcare: boolean): Limits {
  const limits = LIMITS[kind];
  return kind === 'hot' && healthcare ? { ...limits, min: HEALTHCARE_HOT } : limits;
}

/** The priority of a reading outside its limits: high for hot water at a temperature at which legionella grows. */
export function waterPriority(kind: OutletKind, celsius: number): IssuePriority {
  return kind !== 'cold' && celsius >= GROWTH_BAND.from && celsius <= GROWTH_BAND.to ? 'high' : 'medium';
}

/** Minutes for which an outlet runs before it is measured. */
export function runMinutes(kind: OutletKind): 1 | 2 {
  return kind === 'cold' ? 2 : 1;
}
