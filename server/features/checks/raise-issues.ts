import { and, asc, eq, inArray, notInArray } from 'drizzle-orm';
import { checkEntries } from '#db/schema/checks/visits.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { VisitReceipt } from '#shared/features/checks/index.ts';
import { DONE_STATUSES } from '#shared/features/issues/issue-filter.ts';
import type { Command } from '../../kernel/commands.ts';
import { joinIssue, raiseIssue } from '../issues/issues.writes.ts';
import type { CheckedBuilding } from './checked-site.ts';
import type { JudgedEntry } from './judge-entries.ts';

type Raised = VisitReceipt['raised'];
/** The operative, day and log number for the issue's text. */
type Found = { operativeName: string; visitDate: string; logNumber: number };

/**
 * Opens an issue for each failure, or joins the open issue about the same subject (rulings R7, L11): all failures of an
 * asset share an issue, whatever the check; those of a place share one by the place's name. The log's counter must be
 * locked.
 */
export async function raiseIssues(
  command: Command,
  site: CheckedBuilding,
  entries: readonly JudgedEntry[],
  found: Found,
): Promise<Raised> {
  const failed = entries.filter(({ failure }) => failure !== null);
  if (failed.length === 0) return [];
  const open = await openIssues(command, site, [...new Set(failed.map(({ subjectKey }) => subjectKey))]);
  const raised: Raised = [];
  for (const { id, subjectKey, failure, stored } of failed) {
    if (failure === null) continue;
    const before = open.get(subjectKey);
    const issue =
      before === undefined
        ? await raiseIssue(command, site, { ...failure, description: describe(found, stored['notes']) })
        : await joinIssue(command, site, { id: before, priority: failure.priority });
    open.set(subjectKey, issue.id);
    raised.push({
      entryId: id,
      issueId: issue.id,
      referenceNumber: issue.referenceNumber,
      joined: before !== undefined,
    });
  }
  return raised;
}

function describe({ operativeName, visitDate, logNumber }: Found, notes: unknown): string {
  const said = typeof notes === 'string' ? asSentence(notes) : '';
  return said + checkMessages.issueText({ operativeName, visitDate, logNumber });
}

/** Ends a note with a full stop and a blank line, because cards join paragraphs into one line. */
function asSentence(notes: string): string {
  const text = notes.trim();
  return `${text}${/[.!?…:;]$/u.test(text) ? '' : '.'}\n\n`;
}

/** The oldest open issue about each subject, by subject key. */
async function openIssues(
  { tx }: Command,
  site: CheckedBuilding,
  subjectKeys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx
    .selectDistinctOn([checkEntries.subjectKey], {
      subjectKey: checkEntries.subjectKey,
      issueId: buildingIssues.id,
    })
    .from(checkEntries)
    .innerJoin(buildingIssues, eq(buildingIssues.id, checkEntries.issueId))
    .where(
      and(
        eq(checkEntries.buildingId, site.id),
        inArray(checkEntries.subjectKey, [...subjectKeys]),
        notInArray(buildingIssues.status, [...DONE_STATUSES]),
      ),
    )
    .orderBy(checkEntries.subjectKey, asc(buildingIssues.createdAt), asc(buildingIssues.id));
  return new Map(rows.map(({ subjectKey, issueId }) => [subjectKey, issueId]));
}
