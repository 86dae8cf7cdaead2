import type { Database, Transaction } from '#db/client.ts';
import { periodsOfYear } from '#shared/check-periods.ts';
import { formatDateTime, formatWeekdayDate } from '#shared/dates.ts';
import { formatImported } from '#shared/features/checks/imported.vocabulary.ts';
import { isIncident, titleOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import { formatLimits } from '#shared/features/checks/limits.vocabulary.ts';
import { type LogCursor, type LogFilter, logFilterSchema } from '#shared/features/checks/queries.ts';
import {
  entryDetails,
  readingOf,
  visitCorrection,
  visitDetails,
} from '#shared/features/checks/readings.vocabulary.ts';
import type { CheckEntry, CheckVisit, MissedPeriod } from '#shared/features/checks/rows.ts';
import { isDueIn } from '#shared/features/checks/schedule.vocabulary.ts';
import { signedName } from '#shared/text/names.ts';
import type { Actor } from '../../access/actor.ts';
import type { Services } from '../../kernel/context.ts';
import { type Cell, EXPORT_ROWS, exportedList, type Pages } from '../../kernel/lists/exported-list.ts';
import { enabledChecks } from './enabled-checks.ts';
import { logRecords, logYear } from './log/log.queries.ts';

type Column = { name: string; of(visit: CheckVisit, entry: CheckEntry, timeZone: string): Cell };

/** Columns that answer six questions: who, when, which, what, within the limit or not, and what was done next. */
const COLUMNS: readonly Column[] = [
  { name: 'Site', of: ({ buildingName }) => buildingName },
  { name: 'Record', of: ({ logNumber }) => logNumber },
  { name: 'Date', of: ({ visitDate }, _entry, timeZone) => formatWeekdayDate(visitDate, timeZone) },
  { name: 'Check', of: ({ kind }) => titleOf(kind) },
  { name: 'Tested', of: (_visit, { subjectName }) => subjectName },
  { name: 'Place', of: (_visit, { subjectPlace }) => subjectPlace },
  { name: 'Result', of: ({ kind }, { result }) => (isIncident(kind) ? kind : result) },
  { name: 'Reading', of: (visit, entry) => wordsOf(visit, entry) },
  {
    name: 'Limit',
    of({ kind }, { result, values }) {
      const { min, max } = readingOf(kind, result, values);
      return min === null && max === null ? null : formatLimits({ min, max });
    },
  },
  { name: 'Operative', of: ({ operativeName }) => operativeName },
  {
    name: 'Recorded by',
    of: ({ recordedByName, recordedByNow }) => signedName(recordedByName, recordedByNow),
  },
  { name: 'Performed', of: ({ performedAt }, _entry, timeZone) => formatDateTime(performedAt, timeZone) },
  { name: 'Received', of: ({ receivedAt }, _entry, timeZone) => formatDateTime(receivedAt, timeZone) },
  { name: 'Late', of: ({ late }) => (late ? 'late' : null) },
  {
    name: 'Let in by',
    of: ({ letInByName, letInByNow }) => letInByName && signedName(letInByName, letInByNow),
  },
  { name: 'Imported', of: ({ imported }) => imported && formatImported(imported) },
  { name: 'Device clock', of: ({ clockWrong }) => (clockWrong ? 'wrong' : null) },
  { name: 'Details', of: (visit, entry) => detailsOf(visit, entry) },
  { name: 'Notes', of: (_visit, { notes }) => notes },
  { name: 'Issue', of: (_visit, { issueReference }) => issueReference },
  { name: 'Amended', of: (_visit, { supersededBy }) => (supersededBy === null ? null : 'struck through') },
  {
    name: 'Amendment',
    of: (_visit, { amends, amendReason, amendedByName, amendedByNow }) =>
      amends === null ? null : `${amendReason} (${signedName(amendedByName ?? '', amendedByNow)})`,
  },
];

function wordsOf({ kind }: CheckVisit, { result, values }: CheckEntry): string | null {
  const { outcome, reading } = readingOf(kind, result, values);
  return [outcome, reading].filter((part) => part !== null).join(', ') || null;
}

function detailsOf(visit: CheckVisit, entry: CheckEntry): string | null {
  const corrected = visitCorrection({ ...entry, kind: visit.kind });
  const before = corrected === null ? [] : [{ label: `${corrected.label}, before`, text: corrected.before }];
  return (
    [...entryDetails(visit.kind, entry.values), ...visitDetails(visit), ...before]
      .map(({ label, text }) => `${label}: ${text}`)
      .join('\n') || null
  );
}

const NAMES = COLUMNS.map(({ name }) => name);

/**
 * Yields the rows of a log export. The whole year of one building includes periods without a record; any other filter
 * yields records only.
 * @throws AppError `forbidden` for a disabled kind
 */
async function* recordPages(
  { services, actor, timeZone }: { services: Services; actor: Actor; timeZone: string },
  filter: LogFilter,
): Pages {
  const { db, clock, env } = services;
  const enabled = enabledChecks(env);
  const { kind, year, buildingId, ...narrower } = filter;
  const { result } = narrower;
  const whole = Object.values(narrower).every((each) => each === undefined);
  if (whole && year !== undefined && buildingId !== undefined) {
    const now = clock.now();
    const log = await onOneConnection(db, (tx) =>
      logYear(tx, actor, { kind, year, buildingId }, { enabled, now }),
    );
    yield periodsOfYear(CHECK_VOCABULARY[kind].cadence, year).flatMap((period) => {
      const { start, end } = period;
      const inside = ({ visitDate }: CheckVisit) => visitDate >= start && visitDate <= end;
      const visits = log.visits.filter(inside);
      const lines = [...visits, ...log.incidents.filter(inside)].flatMap(linesOf);
      // An incident is not a test, so a period with only incidents still gets a row that says that it was missed.
      if (visits.length > 0 || start > log.today) return lines;
      const reason = log.missed.find((missed) => missed.start === start);
      const result = isDueIn(log.steps, period) ? 'not_tested' : 'not_due';
      return [emptyLine(log.buildingName, start, reason, kind, result), ...lines];
    });
    return;
  }
  let cursor: LogCursor | undefined;
  do {
    const after = cursor;
    const page = await onOneConnection(db, (tx) =>
      logRecords(tx, actor, { filter, cursor: after, limit: EXPORT_ROWS }, enabled),
    );
    yield page.visits.flatMap(linesOf);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);

  function linesOf(visit: CheckVisit): Cell[][] {
    return visit.entries
      .filter((entry) => result === undefined || entry.result === result)
      .map((entry) => COLUMNS.map((column) => column.of(visit, entry, timeZone)));
  }
}

/** These reads send several statements at once, each of which would take a connection of its own without a transaction. */
function onOneConnection<Answer>(db: Database, read: (tx: Transaction) => Promise<Answer>): Promise<Answer> {
  return db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' });
}

/** The row of a period without a record, with the reason if there is one. */
function emptyLine(
  site: string,
  start: string,
  missed: MissedPeriod | undefined,
  kind: LogFilter['kind'],
  result: 'not_tested' | 'not_due',
): Cell[] {
  const said: Readonly<Record<string, Cell>> = {
    Site: site,
    Date: formatWeekdayDate(start, 'UTC'),
    Check: CHECK_VOCABULARY[kind].title,
    Result: result,
    Notes:
      missed === undefined
        ? null
        : `${missed.reason} (${signedName(missed.explainedByName, missed.explainedByNow)})`,
  };
  return NAMES.map((name) => said[name] ?? null);
}

export const exportedLists = {
  checks: exportedList({
    permission: 'view_logbook',
    columns: NAMES,
    filter: logFilterSchema,
    pages: recordPages,
  }),
};
