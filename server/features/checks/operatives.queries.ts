import { sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { searchKeySql } from '#db/schema/name-keys.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { searchKey } from '#shared/text/name-keys.ts';

/**
 * Lists the operative names of a kind that contain a text. Each step of the recursion looks up the next
 * greater name in the index, so the cost depends on the number of names and not of visits.
 */
export async function operativesWith(db: Queryable, kind: LogKind, text: string): Promise<string[]> {
  const name = operativeVisits.operativeName;
  const ofKind = sql`from ${operativeVisits} where ${operativeVisits.kind} = ${kind}`;
  const rows = await db.execute<{ name: string }>(sql`
    with recursive names(name) as (
      (select ${name} ${ofKind} order by ${name} limit 1)
      union all
      select (select ${name} ${ofKind} and ${name} > names.name order by ${name} limit 1)
      from names where names.name is not null
    )
    select name from names where strpos(${searchKeySql(sql`name`)}, ${searchKey(text)}) > 0`);
  return rows.map((row) => row.name);
}
