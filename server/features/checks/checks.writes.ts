import { sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { checkTables } from '#db/schema/checks/index.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { JudgedEntry } from './judge-entries.ts';
import { REBUILD_YEARS } from './log/rebuild-years.ts';

/** A visit as stored, with its judged entries and the issues they raised. */
export type FinishedVisit = typeof operativeVisits.$inferInsert & {
  entries: (JudgedEntry & { issueId: string | null })[];
};

/** Rows of one statement; few, because building a longer one would block the event loop. */
const ROWS = 100;

/**
 * Inserts finished visits in bulk, and derives cell statuses and schedules. Records no events and advances no counter;
 * the caller does.
 */
export async function insertVisits(tx: Transaction, visits: readonly FinishedVisit[]): Promise<void> {
  for (const rows of slices(visits)) {
    await tx.insert(operativeVisits).values(rows.map(({ entries: _entries, ...visit }) => visit));
  }
  const lines = visits.flatMap(({ entries, ...visit }) =>
    entries.map((entry, position) => ({ visit, entry, position })),
  );
  for (const rows of slices(lines)) {
    await tx.insert(checkEntries).values(
      rows.map(({ visit, entry: { stored: _stored, failure: _failure, ...entry }, position }) => {
        const { id: visitId, buildingId, kind, visitDate } = visit;
        return { ...entry, visitId, buildingId, kind, visitDate, position };
      }),
    );
  }
  const kinds = [...new Set(visits.map(({ kind }) => kind))];
  for (const kind of kinds)
    await insertReadings(
      tx,
      kind,
      lines.filter(({ visit }) => visit.kind === kind),
    );
  await tx.execute(sql.raw(REBUILD_YEARS));
}

async function insertReadings(
  tx: Transaction,
  kind: LogKind,
  lines: readonly { visit: { id: string }; entry: JudgedEntry }[],
): Promise<void> {
  for (const rows of slices(lines)) {
    // Each entry was judged by the definition of its kind, whose table has these columns.
    const values = rows.map(({ visit, entry }) => ({
      ...entry.stored,
      id: entry.id,
      visitId: visit.id,
    })) as never;
    await tx.insert(checkTables[kind]).values(values);
  }
}

function* slices<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += ROWS) yield rows.slice(from, from + ROWS);
}
