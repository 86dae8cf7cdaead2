import { DAY_MS } from '#shared/dates.ts';

/** How many backups are kept: the newest of each of so many days, weeks and months. */
export const KEPT = { days: 7, weeks: 4, months: 12 } as const;

/** A backup, by its id and the time of its snapshot, ISO. */
export type DatedBackup = { id: string; at: string };

/**
 * Returns which backups to keep: the newest of each of the last days, weeks (from Monday) and months that have one, in
 * UTC. A day without a backup uses up none of them, so that a machine that was off loses nothing.
 */
export function keptBackups(backups: readonly DatedBackup[]): Set<string> {
  const newestFirst = [...backups].sort((a, b) => (a.at > b.at ? -1 : a.at < b.at ? 1 : 0));
  const kept = new Set<string>();
  for (const [periodOf, most] of [
    [(at: string) => at.slice(0, 10), KEPT.days],
    [(at: string) => String(Math.floor((Date.parse(at) / DAY_MS + 3) / 7)), KEPT.weeks],
    [(at: string) => at.slice(0, 7), KEPT.months],
  ] as const) {
    const seen = new Set<string>();
    for (const { id, at } of newestFirst) {
      const period = periodOf(at);
      if (seen.has(period)) continue;
      if (seen.size === most) break;
      seen.add(period);
      kept.add(id);
    }
  }
  return kept;
}
