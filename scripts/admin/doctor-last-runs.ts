import { CLOCKS_AGREE_MS } from '#server/kernel/server-clock.ts';
import type { Finding } from './doctor.ts';
import type { Opened } from './installation.ts';

/** Timed jobs whose last run is in the future: the clock was wrong at that run, or is wrong now. */
export async function lastRuns({
  sql,
  stores: { clock },
}: Pick<Opened, 'sql'> & { stores: Pick<Opened['stores'], 'clock'> }): Promise<Finding[]> {
  const [schema] = await sql<
    { there: boolean }[]
  >`select to_regclass('public.timed_jobs') is not null as there`;
  if (schema?.there !== true) return [];
  const latest = new Date(clock.now().getTime() + CLOCKS_AGREE_MS).toISOString();
  const ahead = await sql<{ name: string; at: string }[]>`
    select name, to_char(ran_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at from timed_jobs
    where ran_at > ${latest}::timestamptz order by name`;
  if (ahead.length === 0) return [{ good: true, text: 'no timed job ran last in the future' }];
  return ahead.map(({ name, at }) => ({
    good: false,
    text: `the timed job ${name} ran last in the future, at ${at} UTC: a clock is or was wrong, and timed jobs wait for an hour in which all clocks agree`,
  }));
}
