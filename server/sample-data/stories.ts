import type { IssueEdit } from '#shared/features/issues/issues.ts';
import { PAUSE_REASONS } from '#shared/features/issues/issues.vocabulary.ts';
import type { Story } from './sample-issues.ts';

/** A step in the history of an issue. `assign` assigns it to the manager of its building. */
export type Step = { afterMinutes: number } & (
  | { change: Partial<Pick<IssueEdit, 'status' | 'pauseReason'>> & { assign?: true } }
  | { comment: number }
);

const HOUR = 60;
const DAY = 24 * HOUR;

const taken: Step[] = [{ afterMinutes: 18, change: { assign: true } }];
const begun: Step[] = [...taken, { afterMinutes: 45, change: { status: 'in_progress' } }];

/** The steps of a story in order; a comment is identified by its index. */
export function stepsOf(story: Story, comments: number): Step[] {
  const steps = plot(story);
  const last = steps.at(-1)?.afterMinutes ?? 15;
  const said: Step[] = Array.from({ length: comments }, (_, index) => ({
    // The first comment is made before the last step, further ones after it.
    afterMinutes: index === 0 ? last * 0.8 : last + index * 2 * HOUR,
    comment: index,
  }));
  return [...steps, ...said].sort((a, b) => a.afterMinutes - b.afterMinutes);
}

function plot(story: Story): Step[] {
  switch (story) {
    case 'open':
      return [];
    case 'assigned':
      return taken;
    case 'progress':
      return begun;
    case 'resolved':
      return [...begun, { afterMinutes: 3 * HOUR, change: { status: 'resolved' } }];
    case 'closed':
      return [
        ...begun,
        { afterMinutes: 3.5 * HOUR, change: { status: 'resolved' } },
        { afterMinutes: DAY, change: { status: 'closed' } },
      ];
    case 'late':
      return [
        { afterMinutes: 6 * DAY, change: { assign: true } },
        { afterMinutes: 7 * DAY, change: { status: 'in_progress' } },
        { afterMinutes: 30 * DAY, change: { status: 'resolved' } },
      ];
    case 'reopened':
      return [
        ...begun,
        { afterMinutes: 2 * DAY, change: { status: 'resolved' } },
        { afterMinutes: 5 * DAY, change: { status: 'in_progress' } },
      ];
    default: {
      const pauseReason = PAUSE_REASONS.find((reason) => reason === story) ?? null;
      return [...begun, { afterMinutes: 5 * HOUR, change: { pauseReason } }];
    }
  }
}
