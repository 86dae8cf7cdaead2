import { formatNumber } from '../format-number.ts';

/** The results of a search are counted up to this number; screens then say that there are more. */
export const COUNTED_MAX = 1_000;

/** A number at which counting stopped, as screens show it: 1,000+. */
export function formatAtLeast(total: number): string {
  return `${formatNumber(total)}+`;
}
