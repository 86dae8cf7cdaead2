import { inArray, sql } from 'drizzle-orm';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { type Given, sqlStatement } from '#db/statement.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { LogResult } from '#shared/features/checks/log.vocabulary.ts';
import type { Command } from '../../kernel/commands.ts';
import type { JudgedEntry } from './judge-entries.ts';
import { loadWrittenVisit } from './visit-row.ts';

// An entry is the retest of a failure if the failure is the last result of the same subject before the entry. Phones send late,
// so entries arrive out of order; they are linked as if they had arrived in order.

/** Building, kind and time of a visit. */
export type VisitOrder = { buildingId: string; kind: LogKind; visitDate: string; performedAt: string };

// Entries that have a result and were not corrected.
const hasResult = sql`e.superseded_by is null and e.result <> 'not_tested'`;

// The values are passed as a separate row, so that the planner does not see them. The best plan is the same for all values, so
// Postgres makes the plan once for each connection and not for each visit.
const selectLastResults = sqlStatement(
  (
    given: Given<{ keys: string; buildingId: string; kind: string; visitDate: string; performedAt: string }>,
  ) => sql<{ key: string; id: string; result: LogResult }>`
    with turn as materialized (
      select ${given.keys}::text::jsonb as keys, ${given.buildingId}::uuid as building_id, ${given.kind}::text as kind,
        ${given.visitDate}::date as day, ${given.performedAt}::timestamptz as performed_at
    )
    select k.key, l.id, l.result from turn cross join lateral jsonb_array_elements_text(turn.keys) k(key)
    cross join lateral (
      select e.id, e.result from ${checkEntries} e join ${operativeVisits} v on v.id = e.visit_id
      where e.building_id = turn.building_id and e.kind = turn.kind and e.subject_key = k.key and ${hasResult}
        and e.visit_date <= turn.day and (e.visit_date < turn.day or v.performed_at <= turn.performed_at)
      order by e.visit_date desc, v.performed_at desc, e.id desc limit 1
    ) l`,
);

/** The last entry of each subject before a visit, by the subject's key. */
export type LastResults = ReadonlyMap<string, { id: string; result: LogResult }>;

/** Reads the last results of these subjects before a visit. */
export async function readLastResults(
  { tx }: Command,
  turn: VisitOrder,
  subjectKeys: readonly string[],
): Promise<LastResults> {
  if (subjectKeys.length === 0) return new Map();
  const keys = JSON.stringify([...new Set(subjectKeys)]);
  const rows = await selectLastResults(tx, { ...turn, keys });
  return new Map(rows.map(({ key, ...line }) => [key, line]));
}

/**
 * Links each entry to the failure that it retests.
 * @param known the last results of all their subjects, if they have been read already
 */
export async function linkRetests(
  command: Command,
  turn: VisitOrder,
  entries: JudgedEntry[],
  known?: LastResults,
): Promise<void> {
  const lines = entries.filter(({ result }) => result !== 'not_tested');
  const last = new Map(
    known ??
      (await readLastResults(
        command,
        turn,
        lines.map(({ subjectKey }) => subjectKey),
      )),
  );
  for (const entry of lines) {
    const earlier = last.get(entry.subjectKey);
    if (earlier?.result === 'fail') entry.retestOf = earlier.id;
    last.set(entry.subjectKey, entry);
  }
}

/**
 * Links a failure that arrives late: the next entry about the same subject, already in the log, becomes its retest. Records an
 * event for the visit of that entry.
 * @param visit the visit of the failure, whose own event is recorded by the caller
 */
export async function linkLateFailure(
  command: Command,
  turn: VisitOrder,
  visit: { id: string; logNumber: number },
  entries: readonly JudgedEntry[],
): Promise<void> {
  const last = new Map(
    entries
      .filter(({ result }) => result !== 'not_tested')
      .map(({ subjectKey, id, result }) => [subjectKey, { key: subjectKey, id, result }]),
  );
  const failed = [...last.values()].filter(({ result }) => result === 'fail');
  if (failed.length === 0) return;
  const { tx } = command;
  const { buildingId, kind, visitDate, performedAt } = turn;
  const linked = await tx.execute<{ visit_id: string }>(sql`
    with next as (
      select f.id as failure, l.id as line
      from jsonb_to_recordset(${JSON.stringify(failed)}::text::jsonb) f(key text, id uuid)
      cross join lateral (
        select e.id from ${checkEntries} e join ${operativeVisits} v on v.id = e.visit_id
        where e.building_id = ${buildingId} and e.kind = ${kind} and e.subject_key = f.key and ${hasResult}
          and e.visit_id <> ${visit.id} and e.visit_date >= ${visitDate}::date
          and (e.visit_date > ${visitDate}::date or v.performed_at > ${performedAt}::timestamptz)
        order by e.visit_date, v.performed_at, e.id limit 1
      ) l
    )
    update ${checkEntries} e set retest_of = next.failure from next where e.id = next.line returning e.visit_id`);
  const visitIds = [...new Set(linked.map(({ visit_id: id }) => id))];
  if (visitIds.length === 0) return;
  await tx
    .update(operativeVisits)
    .set({ version: sql`${operativeVisits.version} + 1` })
    .where(inArray(operativeVisits.id, visitIds));
  for (const id of visitIds) {
    await command.record({
      op: 'put',
      entity: 'checkVisit',
      row: await loadWrittenVisit(tx, id),
      changes: { retestOf: [null, `#${visit.logNumber}`] },
    });
  }
}
