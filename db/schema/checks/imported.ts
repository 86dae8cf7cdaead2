import { date, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { IMPORT_STATES } from '#shared/features/checks/imported.vocabulary.ts';
import { LOG_KINDS } from '#shared/features/checks/incidents.vocabulary.ts';
import { id, instant } from '../columns.ts';
import { profiles } from '../people.ts';

/** Visits imported from a file in a person's name, and that person's answer. */
export const importedVisits = pgTable(
  'imported_visits',
  {
    /** The id of the visit, in the log or held. */
    id: id(),
    /** The person in whose name it was imported. */
    personId: uuid('person_id')
      .notNull()
      .references(() => profiles.id),
    kind: text('kind', { enum: LOG_KINDS }).notNull(),
    visitDate: date('visit_date', { mode: 'string' }).notNull(),
    importedBy: uuid('imported_by')
      .notNull()
      .references(() => profiles.id),
    importedByName: text('imported_by_name').notNull(),
    importedAt: instant('imported_at').notNull(),
    state: text('state', { enum: IMPORT_STATES }).notNull().default('unconfirmed'),
    answeredAt: instant('answered_at'),
    version: integer('version').notNull().default(1),
  },
  (t) => [index('imported_visits_person').on(t.personId, t.state, t.importedAt)],
);
