import { DAY_MS } from '#shared/dates.ts';
import type { Finding } from './doctor.ts';
import type { Opened } from './installation.ts';

/** Figures are compared each midnight. A longer gap means that no server ran, or that the job fails. */
const COMPARED_WITHIN_MS = 2 * DAY_MS;

/** The findings of the last comparison of the buildings' figures with the counted rows. */
export async function pulse({ sql }: Pick<Opened, 'sql'>): Promise<Finding[]> {
  const [schema] = await sql<
    { there: boolean }[]
  >`select to_regclass('public.pulse_state') is not null as there`;
  if (schema?.there !== true) return [];
  const [state] = await sql<{ at: string | null; ago: number; compared: number; differed: number }[]>`
    select to_char(compared_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at, compared, differed,
      coalesce(extract(epoch from now() - compared_at), 0)::float8 * 1000 as ago
    from pulse_state`;
  if (state?.at == null)
    return [{ good: 'note', text: 'the figures of buildings have not been compared yet' }];
  const { at, ago, compared, differed } = state;
  const text = `figures of ${compared} buildings compared with their rows at ${at} UTC: ${differed} differed`;
  return [
    {
      good: differed === 0,
      text: differed === 0 ? text : `${text}; the log names them, and they were repaired`,
    },
    ...(ago > COMPARED_WITHIN_MS ? [{ good: 'note' as const, text: 'that was more than two days ago' }] : []),
  ];
}
