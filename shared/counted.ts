/** What is searched for is counted up to here; screens then say that there are more. */
export const COUNTED_MAX = 1_000;

/** A number of rows. */
export type Counted = {
  total: number;
  /** True if the counting stopped: there are more. */
  totalIsLeast: boolean;
};

/** A count as screens show it: 1,000 or, where counting stopped, 1,000+. */
export function formatCounted(total: number, totalIsLeast: boolean): string {
  return `${total.toLocaleString('en-GB')}${totalIsLeast ? '+' : ''}`;
}
