import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { disciplines } from '#db/schema/accounts.ts';
import type { Discipline } from '#shared/features/disciplines.ts';

/** Lists disciplines in use, by name. */
export function listDisciplines(db: Queryable): Promise<Discipline[]> {
  return db
    .select()
    .from(disciplines)
    .where(eq(disciplines.isActive, true))
    .orderBy(sql`lower(${disciplines.name}) collate "C"`, disciplines.id);
}
