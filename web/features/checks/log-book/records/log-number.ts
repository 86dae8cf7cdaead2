/** Formats a log number with thin spaces between thousands: "#1 204". */
export function logNumberText(logNumber: number): string {
  return `#${String(logNumber).replace(/\B(?=(\d{3})+$)/g, '\u2009')}`;
}
