import { describe, expect, test } from 'vitest';
import { formatDateTime } from '#shared/dates.ts';
import type { Issue } from '#shared/features/issues/issues.ts';
import { ISSUE_STATUSES } from '#shared/features/issues/issues.vocabulary.ts';
import type { HistoryEntry } from '#shared/history.ts';
import { findCard, stepFrom } from '#web/features/issues/board/board-keys.ts';
import { type BoardColumns, freezeColumns } from '#web/features/issues/board/freeze-board.ts';
import { describeHistoryEntry } from '#web/features/issues/details/describe-issue-history.ts';
import { hasFilters, issuesUrl, toIssueFilter } from '#web/features/issues/issues-url.ts';
import { formatRough, formatSpan, slaOf } from '#web/features/issues/sla.ts';
import { discardEdit, editField, hasConflict, keepEdit, newestOf, unsaved } from '#web/forms/field-edits.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const at = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();

function issueOf(n: number, part: Partial<Issue> = {}): Issue {
  return {
    id: `33333333-0000-7000-8000-${String(n).padStart(12, '0')}`,
    referenceNumber: `HAR-${String(n).padStart(4, '0')}`,
    buildingId: '11111111-0000-7000-8000-000000000001',
    buildingName: 'Harbour House',
    title: `Issue ${n}`,
    description: '',
    status: 'open',
    priority: 'medium',
    source: 'person',
    reportedBy: null,
    reportedByName: null,
    reportedByKey: null,
    assignedTo: null,
    assignedToName: null,
    createdAt: new Date(NOW - 3_600_000 + n * 1000).toISOString(),
    updatedAt: at(-1),
    resolvedAt: null,
    respondedAt: null,
    respondDueAt: null,
    resolveDueAt: null,
    pauseReason: null,
    pausedAt: null,
    acknowledgedAt: null,
    acknowledgedByName: null,
    version: 1,
    ...part,
  };
}

describe('the address of the issues page', () => {
  test('treats unknown values as absent', () => {
    const junk =
      'building=<script>&view=wall&status=open,lost,open&priority=&created=never&assigned=you&issue=1&report=2';
    const state = issuesUrl.read(new URLSearchParams(junk));
    expect(state).toMatchObject({
      building: null,
      view: 'board',
      statuses: ['open'],
      range: 'all',
      issue: null,
    });
    expect(issuesUrl.write(issuesUrl.read(new URLSearchParams())).toString()).toBe('');
  });

  test('gives equal filters one spelling, so that they share one list', () => {
    const one = issuesUrl.read(new URLSearchParams('status=closed,open&q=+lift+&assigned=me'));
    const two = issuesUrl.read(new URLSearchParams('assigned=me&q=lift&status=open,closed'));
    const me = '22222222-0000-7000-8000-000000000001';
    expect(toIssueFilter(one, undefined, me)).toEqual({
      statuses: ['open', 'closed'],
      assignedTo: me,
      search: 'lift',
    });
    expect(JSON.stringify(toIssueFilter(one, undefined, me))).toBe(
      JSON.stringify(toIssueFilter(two, undefined, me)),
    );
    expect(hasFilters(one)).toBe(true);
    expect(hasFilters(issuesUrl.read(new URLSearchParams('q=++')))).toBe(false);
  });
});

describe('the clock on a card', () => {
  const due = { respondedAt: at(-5), respondDueAt: at(-4), createdAt: at(-6) };
  const says = (part: Partial<Issue>) => {
    const sla = slaOf(issueOf(1, part), NOW);
    return sla && `${sla.tone}: ${sla.text}`;
  };
  test('says how long is left, warns from four fifths on, and says how long it is over', () => {
    expect(says({ ...due, resolveDueAt: at(20) })).toBe('calm: 20h left');
    expect(says({ ...due, resolveDueAt: at(1.2) })).toBe('warn: 1h left');
    expect(says({ ...due, resolveDueAt: at(-4.5) })).toBe('late: 4h over');
  });
  test('runs for the answer first, then for the repair', () => {
    expect(says({ createdAt: at(-1), respondDueAt: at(9), resolveDueAt: at(90) })).toBe('calm: 9h left');
    expect(says({ createdAt: at(-1), respondedAt: at(0), respondDueAt: at(9), resolveDueAt: at(90) })).toBe(
      'calm: 3d left',
    );
  });
  test('stands still with its reason, and ends with how long it took', () => {
    const paused = { ...due, resolveDueAt: at(2), pauseReason: 'parts', pausedAt: at(-1) } as const;
    expect(says(paused)).toBe('paused: Waiting for parts');
    expect(says({ ...due, resolveDueAt: at(2), resolvedAt: at(-2.5), status: 'resolved' })).toBe(
      'met: Resolved in 3h 30m',
    );
    expect(says({ ...due, resolveDueAt: at(-3), resolvedAt: at(-2), status: 'resolved' })).toBe(
      'late: Resolved in 4h',
    );
    expect(says({})).toBeNull();
  });
  test('names a moment on paper, where a span would soon be wrong', () => {
    const printed = (part: Partial<Issue>) => slaOf(issueOf(1, { ...due, ...part }), NOW)?.printed;
    expect(printed({ resolveDueAt: at(20) })).toBe(`Resolve by ${formatDateTime(at(20))}`);
    expect(printed({ resolveDueAt: at(-4.5) })).toBe(`Overdue since ${formatDateTime(at(-4.5))}`);
    expect(printed({ resolveDueAt: at(2), pauseReason: 'parts', pausedAt: at(-1) })).toBe(
      'Waiting for parts',
    );
    expect(printed({ resolveDueAt: at(2), resolvedAt: at(-2.5), status: 'resolved' })).toBe(
      'Resolved in 3h 30m',
    );
  });
  test('rounds down, to one unit or two', () => {
    const hour = 3_600_000;
    expect([0.5, 1.9, 23.9, 24, 47, 48].map((h) => formatRough(h * hour))).toEqual([
      '30m',
      '1h',
      '23h',
      '1d',
      '1d',
      '2d',
    ]);
    expect([0.9, 3 + 1 / 6, 5, 28, 48, 100].map((h) => formatSpan(h * hour))).toEqual([
      '54m',
      '3h 10m',
      '5h',
      '1d 4h',
      '2d',
      '4d',
    ]);
  });
});

describe('the board under a pointer', () => {
  const none: BoardColumns = { open: [], in_progress: [], resolved: [], closed: [] };
  const other = { me: '0197a000-0000-7000-8000-0000000000aa', changed: new Set<string>() };
  const ids = (rows: readonly Issue[]) => rows.map((row) => row.referenceNumber);
  const shown: BoardColumns = { ...none, open: [issueOf(3), issueOf(2), issueOf(1)], closed: [issueOf(9)] };
  const moved = issueOf(2, { status: 'closed', version: 2 });
  const live: BoardColumns = {
    ...none,
    open: [issueOf(4), issueOf(3), issueOf(1)],
    closed: [issueOf(9), moved],
  };

  test('keeps every card in its place, with its newest content, and says what waits', () => {
    const { columns, waiting } = freezeColumns(shown, live, other);
    expect(ids(columns.open)).toEqual(['HAR-0003', 'HAR-0002', 'HAR-0001']);
    expect(columns.open[1]).toBe(moved);
    expect(ids(columns.closed)).toEqual(['HAR-0009']);
    expect(waiting).toEqual({ open: 1, in_progress: 0, resolved: 0, closed: 1 });
  });

  test('lets a card go at once that this person moved', () => {
    const { columns } = freezeColumns(shown, live, { ...other, changed: new Set([moved.id]) });
    expect(ids(columns.open)).toEqual(['HAR-0003', 'HAR-0001']);
    expect(ids(columns.closed)).toEqual(['HAR-0009', 'HAR-0002']);
  });

  test('shows at once what this person reports, and still holds what others do', () => {
    const mine = issueOf(5, { reportedBy: other.me });
    const { columns, waiting } = freezeColumns(shown, { ...live, open: [mine, ...live.open] }, other);
    expect(ids(columns.open)).toEqual(['HAR-0005', 'HAR-0003', 'HAR-0002', 'HAR-0001']);
    expect(waiting.open).toBe(1);
  });

  test('shows what a further page brings, since nothing moves for it', () => {
    const older = issueOf(0);
    const { columns } = freezeColumns(shown, { ...shown, open: [...shown.open, older] }, other);
    expect(columns.open.at(-1)).toBe(older);
  });

  test('leads the arrows from card to card and over empty columns', () => {
    const place = findCard(shown, ISSUE_STATUSES, issueOf(1).id);
    expect(place).toEqual({ status: 'open', index: 2 });
    if (place === undefined) return;
    expect(stepFrom(shown, ISSUE_STATUSES, place, 'ArrowUp')).toEqual({ status: 'open', index: 1 });
    expect(stepFrom(shown, ISSUE_STATUSES, place, 'ArrowDown')).toBeUndefined();
    expect(stepFrom(shown, ISSUE_STATUSES, place, 'ArrowRight')).toEqual({ status: 'closed', index: 0 });
    expect(stepFrom(shown, ISSUE_STATUSES, place, 'ArrowLeft')).toBeUndefined();
  });
});

describe('two people in one form', () => {
  const before = issueOf(1, { title: 'Lift stuck' });
  const after = { ...before, title: 'Lift 2 stuck', version: 2 };

  test('only a touched field is contested, and either side can be chosen', () => {
    const edits = editField({}, before, 'title', 'Lift broken');
    expect(hasConflict(edits, before, 'title')).toBe(false);
    expect(hasConflict(edits, after, 'title')).toBe(true);
    expect(hasConflict(edits, after, 'status')).toBe(false);
    const kept = keepEdit(edits, after, 'title');
    expect(kept.title).toEqual({ from: 'Lift 2 stuck', to: 'Lift broken' });
    expect(hasConflict(kept, after, 'title')).toBe(false);
    expect(discardEdit(edits, 'title')).toEqual({});
  });

  test('the same wish of both is nothing to save', () => {
    expect(unsaved(editField({}, before, 'title', 'Lift 2 stuck'), after)).toEqual({});
  });

  test('a field put back is untouched again', () => {
    const edits = editField(editField({}, before, 'title', 'x'), before, 'title', 'Lift stuck');
    expect(edits).toEqual({});
  });

  test('the answer to a refused save counts until the stream has caught up', () => {
    const told = { version: 2, fields: { title: 'Lift 2 stuck' } };
    expect(newestOf(before, told).title).toBe('Lift 2 stuck');
    expect(newestOf({ ...before, title: 'Third', version: 3 }, told).title).toBe('Third');
  });
});

describe('the history of an issue', () => {
  const entry = (changes: HistoryEntry['changes']): HistoryEntry => ({
    g: 1,
    at: at(0),
    actorId: null,
    actorName: null,
    apiKeyName: null,
    command: 'issues.update',
    changes,
    erased: false,
  });
  test('says in words what changed from what to what', () => {
    expect(describeHistoryEntry(entry(null))).toEqual(['reported the issue']);
    expect(
      describeHistoryEntry(entry({ status: ['open', 'in_progress'], respondedAt: [null, at(0)] })),
    ).toEqual(['changed status from Open to In Progress']);
    expect(
      describeHistoryEntry(entry({ assignedTo: [null, 'x'], assignedToName: [null, 'Ada Hall'] })),
    ).toEqual(['assigned it to Ada Hall']);
    expect(describeHistoryEntry(entry({ pauseReason: [null, 'parts'], pausedAt: [null, at(0)] }))).toEqual([
      'paused the response clocks: waiting for parts',
    ]);
    expect(describeHistoryEntry({ ...entry(null), erased: true })).toEqual([
      'made a change whose details have been erased',
    ]);
  });
});
