import { CircleCheck } from 'lucide-react';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { CheckCard, DueSite } from '#shared/features/checks/procedure-answers.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import type { DueSites } from '../due/due-sites.ts';
import { progressText, shortDay } from '../recording/site/site-note.tsx';

type Props = { card: Pick<CheckCard, 'kind' | 'dueBy'>; due: DueSites | undefined };

/** Names the first overdue and the first due site and counts the others, or says that all checks are done. */
export function DueState({ card: { kind, dueBy }, due }: Props) {
  if (due === undefined) return null;
  const overdue = due.sites.filter(({ isOverdue }) => isOverdue);
  const inTime = due.sites.filter(({ isOverdue }) => !isOverdue);
  // Sites that are counted but not named come after the named ones.
  const unnamed = due.total - due.sites.length;
  const [late] = overdue;
  const [next] = inTime;
  if (due.total === 0) {
    const period = CHECK_VOCABULARY[kind].cadence === 'weekly' ? 'week' : 'month';
    return (
      <Badge tone="ok" size="lg" icon={<CircleCheck size={14} aria-hidden />}>
        {formMessages.allDone(period)}
      </Badge>
    );
  }
  return (
    <>
      {late !== undefined && (
        <Badge tone="bad" size="lg" wraps>
          {formMessages.overdueAt(
            formMessages.andMore(nameOf(kind, late), overdue.length - 1 + (next === undefined ? unnamed : 0)),
          )}
        </Badge>
      )}
      {next !== undefined && (
        <>
          <Badge tone="due" size="lg" wraps>
            {formMessages.dueAt(formMessages.andMore(nameOf(kind, next), inTime.length - 1 + unnamed))}
          </Badge>
          <span className="text-ink-2 text-sm">by {shortDay(dueBy)}</span>
        </>
      )}
    </>
  );
}

/** The name of a site, with the progress of a partly done check: "Harbour House (3 of 4 outlets)". */
export function nameOf(kind: CheckKind, { name, done, of }: DueSite): string {
  // A copy stored by an older version has neither `done` nor `of`.
  const progress = done == null || of == null ? undefined : progressText(kind, { done, of });
  return progress === undefined ? name : `${name} (${progress})`;
}
