const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** How long to wait after so many failures in a row: doubling, with half of it left to chance. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return whole * (0.5 + random() / 2);
}

/** An entry that the server fails on, again and again, is shown to a person after this many times. */
export const MAX_FAULTS = 8;
