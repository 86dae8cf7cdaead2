import { CircleCheck, Minus } from 'lucide-react';
import { formatWeekdayDate } from '#shared/dates.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import type { SiteSchedule } from '#shared/features/checks/procedure-answers.ts';
import { formatTimes, type ScheduleStep, stepInForce } from '#shared/features/checks/schedule.vocabulary.ts';
import { scheduleMessages } from '#shared/features/checks/schedule-messages.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';

export type KindSchedule = SiteSchedule['kinds'][number];
type Props = { of: KindSchedule; today: string; onChange: () => void };

/** Card with the schedule of one kind at a site: the step in force, upcoming steps and the current standing. */
export function ScheduleCard({ of, today, onChange }: Props) {
  const { kind, applies, steps, standing } = of;
  const { title, standard } = CHECK_VOCABULARY[kind];
  const step = stepInForce(steps, today);
  const next = steps.filter(({ from }) => from > today);
  return (
    <Card className="flex h-full flex-col p-4">
      <div className="flex items-start justify-between gap-x-4">
        <div className="min-w-0">
          <h2 className="font-semibold text-ink text-md">{title}</h2>
          <p className="text-ink-2 text-sm">{standard}</p>
        </div>
        <Button size="sm" onClick={onChange} aria-label={`${scheduleMessages.change}: ${title}`}>
          {scheduleMessages.change}
        </Button>
      </div>
      <p className="mt-3 font-semibold text-ink text-lg">{inWords(of, step)}</p>
      <p className="text-ink-2">
        {step === undefined ? scheduleMessages.usual : scheduleMessages.since(formatWeekdayDate(step.from))}
      </p>
      {next.map((later) => (
        <p key={later.from} className="mt-1 text-info">
          {scheduleMessages.upcoming(inWords(of, later), formatWeekdayDate(later.from))}
        </p>
      ))}
      <div className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1.5 pt-3 text-ink-2 text-sm">
        {applies ? <Standing of={of} due={step?.isDue ?? true} /> : scheduleMessages.nothingThere}
        {standing.lastDone !== null && <span>Last done {formatWeekdayDate(standing.lastDone)}</span>}
      </div>
    </Card>
  );
}

function inWords({ kind }: KindSchedule, step: ScheduleStep | undefined): string {
  if (step === undefined) return formatTimes(kind, 1);
  return step.isDue ? formatTimes(kind, step.times) : scheduleMessages.notDue;
}

function Standing({ of: { standing }, due }: { of: KindSchedule; due: boolean }) {
  if (!due) return <Badge icon={<Minus size={13} aria-hidden />}>{scheduleMessages.isNotDue}</Badge>;
  if (standing.isOverdue)
    return <Badge tone="bad">Overdue since {formatWeekdayDate(standing.nextDue)}</Badge>;
  if (standing.isDue) return <Badge tone="due">Due by {formatWeekdayDate(standing.nextDue)}</Badge>;
  return (
    <Badge tone="ok" icon={<CircleCheck size={13} aria-hidden />}>
      Up to date
    </Badge>
  );
}
