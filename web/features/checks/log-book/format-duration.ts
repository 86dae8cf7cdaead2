import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/dates.ts';

/** Formats a duration in its two largest units: "3h 10m", "2d 4h", "12m". */
export function formatDuration(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE_MS));
  const units = [
    { letter: 'd', size: DAY_MS / MINUTE_MS },
    { letter: 'h', size: HOUR_MS / MINUTE_MS },
    { letter: 'm', size: 1 },
  ];
  const parts: string[] = [];
  let rest = minutes;
  for (const { letter, size } of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 || (letter === 'm' && parts.length === 0)) parts.push(`${count}${letter}`);
  }
  return parts.slice(0, 2).join(' ');
}
