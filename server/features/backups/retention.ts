import { DAY_MS } from '#shared/dates.ts';

/** Numbers of days, weeks and months of which the newest backup is kept. */
export const RETENTION = { days: 7, weeks: 4, months: 12 } as const;

/** A backup, by its id and the time of its snapshot, ISO. */
export type DatedBackup = { id: string; at: string };

/**
 * Returns the ids of the backups to keep: the newest of each of the last days, weeks (from Monday) and months that have one,
 * in UTC. Days without a backup do not count, so a machine that was off for a month keeps its backups.
 */
export function backupsToKeep(backups: readonly DatedBackup[]): Set<string> {
  const newestFirst = [...backups].sort((a, b) => (a.at > b.at ? -1 : a.at < b.at ? 1 : 0));
  const kept = new Set<string>();
  for (const [periodOf, most] of [
    [(at: string) => at.slice(0, 10), RETENTION.days],
    [(at: string) => String(Math.floor((Date.parse(at) / DAY_MS + 3) / 7)), RETENTION.weeks],
    [(at: string) => at.slice(0, 7), RETENTION.months],
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
