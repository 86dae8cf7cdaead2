import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { disciplines } from '#db/schema/accounts.ts';
import type { Discipline } from '#shared/features/disciplines/disciplines.ts';

/** The columns of a discipline that clients receive, in answers and events. */
export const disciplineColumns = {
  id: disciplines.id,
  name: disciplines.name,
  isActive: disciplines.isActive,
  createdAt: disciplines.createdAt,
  version: disciplines.version,
};

/** Lists disciplines in use, by name. */
export function listDisciplines(db: Queryable): Promise<Discipline[]> {
  return db
    .select(disciplineColumns)
    .from(disciplines)
    .where(eq(disciplines.isActive, true))
    .orderBy(sql`${disciplines.sortKey} collate "C"`, disciplines.id);
}
