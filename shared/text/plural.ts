import { formatNumber } from '../format-number.ts';

/** A number and what it counts: "1 building", "1,234 buildings". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
