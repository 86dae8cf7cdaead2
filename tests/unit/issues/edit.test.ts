import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editedColumns, initialDueDates } from '#server/features/issues/issue-clocks.ts';
import { bankHolidays } from '#server/kernel/bank-holidays.ts';
import { isDone } from '#shared/features/issues/issue-edit.ts';
import type { Issue, IssueEdit } from '#shared/features/issues/issues.ts';
import {
  ISSUE_PRIORITIES,
  ISSUE_STATUSES,
  PAUSE_REASONS,
} from '#shared/features/issues/issues.vocabulary.ts';
import { NEVER_PAUSED, type SlaTarget, type WorkingCalendar } from '#shared/features/issues/sla.ts';
import { editOverlay } from '#web/features/issues/edit-overlay.ts';
import { slaOf } from '#web/features/issues/sla.ts';

const HOUR_MS = 3_600_000;
const CREATED = '2026-11-18T10:00:00.000Z';
const hoursLater = (hours: number) => new Date(Date.parse(CREATED) + hours * HOUR_MS).toISOString();
const calendar: WorkingCalendar = {
  timeZone: 'Europe/London',
  workingDays: [1, 2, 3, 4, 5],
  workStartsAt: '09:00:00',
  workEndsAt: '17:00:00',
  holidays: new Set(bankHolidays(2026).map(({ day }) => day)),
};
const IN_HOURS: SlaTarget = { respondAmount: 4, resolveAmount: 24, unit: 'hour' };
const IN_WORKING_DAYS: SlaTarget = { respondAmount: 1, resolveAmount: 5, unit: 'working_day' };

/** An issue as the server has it, with at most one pause. */
function issueWith(part: Partial<Issue>, target: SlaTarget): Issue {
  return {
    id: '33333333-0000-7000-8000-000000000001',
    referenceNumber: 'HAR-0001',
    buildingId: '11111111-0000-7000-8000-000000000001',
    buildingName: 'Harbour House',
    title: 'Leaking tap',
    description: '',
    status: 'open',
    priority: 'high',
    source: 'person',
    reportedBy: null,
    reportedByName: null,
    reportedByKey: null,
    assignedTo: null,
    assignedToName: null,
    createdAt: CREATED,
    updatedAt: CREATED,
    resolvedAt: null,
    respondedAt: null,
    ...initialDueDates(CREATED, { target, calendar }),
    pauseReason: null,
    pausedAt: null,
    acknowledgedAt: null,
    acknowledgedByName: null,
    version: 1,
    ...part,
  };
}

const PERSON = '22222222-0000-7000-8000-000000000001';
const issues = (target: SlaTarget) =>
  fc
    .record({
      status: fc.constantFrom(...ISSUE_STATUSES),
      priority: fc.constantFrom(...ISSUE_PRIORITIES),
      responded: fc.boolean(),
      assigned: fc.boolean(),
      pauseReason: fc.option(fc.constantFrom(...PAUSE_REASONS), { nil: null }),
      at: fc.integer({ min: 1, max: 200 }),
    })
    .map(({ status, priority, responded, assigned, pauseReason, at }) => {
      const done = isDone(status);
      const paused = done ? null : pauseReason;
      return issueWith(
        {
          status,
          priority,
          respondedAt: responded || status !== 'open' || assigned ? hoursLater(at) : null,
          assignedTo: assigned ? PERSON : null,
          resolvedAt: done ? hoursLater(at) : null,
          pauseReason: paused,
          pausedAt: paused === null ? null : hoursLater(at),
        },
        target,
      );
    });
const edits = fc.record(
  {
    title: fc.constantFrom('Leaking tap', 'Dripping tap'),
    status: fc.constantFrom(...ISSUE_STATUSES),
    priority: fc.constantFrom(...ISSUE_PRIORITIES),
    assignedTo: fc.constantFrom(PERSON, null),
    pauseReason: fc.option(fc.constantFrom(...PAUSE_REASONS), { nil: null }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<IssueEdit>>;
/** Always later than the issue's own times. */
const moments = fc.integer({ min: 201, max: 400 }).map(hoursLater);

/** The row as the server's command stores it, and as the browser shows it before the answer. */
async function bothSides(issue: Issue, set: Partial<IssueEdit>, now: string, target: SlaTarget) {
  const { pausedMs, pausedWorkingMs, ...columns } = await editedColumns(issue, set, now, async () => ({
    target,
    calendar,
    paused: NEVER_PAUSED,
  }));
  const stored: Issue = { ...issue, ...columns };
  const shown: Issue = { ...issue, ...editOverlay(issue, set, now) };
  return { stored, shown };
}

describe('an edit of an issue, as a card shows it before the server has answered', () => {
  test('is what the server stores, field by field, with targets in hours also the due dates', async () => {
    await fc.assert(
      fc.asyncProperty(issues(IN_HOURS), edits, moments, async (issue, edit, now) => {
        // A new priority has another target, which the browser does not know: see the last test.
        const set = { ...edit, priority: issue.priority };
        const { stored, shown } = await bothSides(issue, set, now, IN_HOURS);
        expect(shown).toEqual(stored);
      }),
      { numRuns: 400 },
    );
  });

  test('is what the server stores whatever the target and the priority, but for a due date that moves', async () => {
    await fc.assert(
      fc.asyncProperty(issues(IN_WORKING_DAYS), edits, moments, async (issue, set, now) => {
        const { stored, shown } = await bothSides(issue, set, now, IN_WORKING_DAYS);
        const { respondDueAt, resolveDueAt } = shown;
        expect(shown).toEqual({ ...stored, respondDueAt, resolveDueAt });
      }),
      { numRuns: 400 },
    );
  });

  test('never reads late because of a pause that it ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(IN_HOURS, IN_WORKING_DAYS),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom('resolved', 'closed', 'in_progress'),
        moments,
        async (target, at, status, now) => {
          const pausedAt = hoursLater(at);
          const paused = issueWith(
            { status: 'in_progress', respondedAt: hoursLater(0.5), pauseReason: 'parts', pausedAt },
            target,
          );
          const { stored, shown } = await bothSides(paused, { status, pauseReason: null }, now, target);
          expect(slaOf(stored, Date.parse(now))?.tone).not.toBe('late');
          expect(slaOf(shown, Date.parse(now))?.tone).not.toBe('late');
        },
      ),
      { numRuns: 100 },
    );
  });

  test('ends the pause of a card that is dragged to Resolved, and the pause does not count', () => {
    const waiting = issueWith(
      { status: 'in_progress', respondedAt: hoursLater(1), pauseReason: 'parts', pausedAt: hoursLater(2) },
      IN_HOURS,
    );
    // After four days of waiting for a part: long after the first due date.
    const now = hoursLater(98);
    const shown = { ...waiting, ...editOverlay(waiting, { status: 'resolved' }, now) };
    expect(shown).toMatchObject({
      resolvedAt: now,
      pauseReason: null,
      pausedAt: null,
      resolveDueAt: hoursLater(24 + 96),
    });
    expect(slaOf(shown, Date.parse(now))?.tone).toBe('met');
  });

  test('leaves what others change alone: it names the fields that become others, and no more', () => {
    const issue = issueWith({}, IN_HOURS);
    expect(editOverlay(issue, { title: issue.title, status: 'open' }, hoursLater(1))).toEqual({});
    expect(editOverlay(issue, { title: 'Dripping tap' }, hoursLater(1))).toEqual({
      title: 'Dripping tap',
      updatedAt: hoursLater(1),
    });
  });

  test('keeps a due date where it is until the server tells the target of another priority', async () => {
    const issue = issueWith({}, IN_HOURS);
    const target: SlaTarget = { respondAmount: 1, resolveAmount: 4, unit: 'hour' };
    const { stored, shown } = await bothSides(issue, { priority: 'critical' }, hoursLater(1), target);
    expect(stored.resolveDueAt).toBe(hoursLater(4));
    expect(shown.resolveDueAt).toBe(hoursLater(24));
  });
});
