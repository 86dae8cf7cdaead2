/** The most floors that one command adds, without the basement. */
export const FLOORS_MAX = 100;

/** The range of levels that an import file may name. */
export const LEVEL_RANGE = { lowest: -10, highest: 200 } as const;

/** The default name of a level: 0 is the ground floor, -1 the basement; lower basements are numbered. */
export function floorLabel(level: number): string {
  if (level < -1) return `Basement ${-level}`;
  if (level === -1) return 'Basement';
  return level === 0 ? 'Ground Floor' : `${ordinal(level)} Floor`;
}

/** 1st, 2nd, 3rd, 4th … 11th, 12th, 13th … 21st. */
export function ordinal(n: number): string {
  const tens = n % 100;
  if (tens >= 11 && tens <= 13) return `${n}th`;
  return `${n}${['th', 'st', 'nd', 'rd'][n % 10] ?? 'th'}`;
}

/** The levels of a building, lowest first. `floors` is the total from the ground floor up; the basement is extra. */
export function floorLevels(floors: number, basement: boolean): number[] {
  const lowest = basement ? -1 : 0;
  return Array.from({ length: floors - lowest }, (_, index) => lowest + index);
}

/** Compares floors for lists: highest first. */
export function highestFirst(a: { level: number }, b: { level: number }): number {
  return b.level - a.level;
}
