const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** The wait after a number of failures in a row, in milliseconds: doubling up to the maximum, half of it random. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return whole * (0.5 + random() / 2);
}

/** The number of failed tries after which a command is shown to a person. */
export const MAX_FAULTS = 8;
