import { withLogin } from './postgres/own-postgres.ts';

/** Tables that a restore, or the next start of a server, changes. */
export const CHANGED_BY_RESTORE = [
  'sessions',
  'session_tokens',
  'account_links',
  'stream_head',
  'timed_jobs',
  'pulse_state',
];

/** What tables hold, as one text for each. */
export function rowsOf(
  ownerUrl: string,
  tables: readonly { name: string }[],
): Promise<Record<string, string>> {
  return withLogin(ownerUrl, async (sql) => {
    const all: Record<string, string> = {};
    for (const { name } of tables) {
      const [row] = await sql.unsafe<{ text: string }[]>(
        `select coalesce(string_agg(t::text, E'\\n' order by t::text), '') as text from public."${name}" t`,
      );
      all[name] = row?.text ?? '';
    }
    return all;
  });
}
