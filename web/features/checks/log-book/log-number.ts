/** "#1 204": a number that people read out to each other, its thousands apart. */
export function logNumberText(logNumber: number): string {
  return `#${String(logNumber).replace(/\B(?=(\d{3})+$)/g, '\u2009')}`;
}
