import { sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';

/**
 * The names under which something of a kind was recorded and that hold a text, whatever its case. Each step of the walk
 * asks the index for the next greater name: as many steps as there are names, however many visits there are.
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
    select name from names where strpos(lower(name), lower(${text})) > 0`);
  return rows.map((row) => row.name);
}
