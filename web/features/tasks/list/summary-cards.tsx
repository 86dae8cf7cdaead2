import { AlarmClock, CalendarClock, CircleCheck, CircleX, type LucideIcon } from 'lucide-react';
import { compliantPercent, type TaskSummary } from '#shared/features/tasks/task-schedule.ts';
import { cx } from '../../../ui/cx.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import type { TasksState } from '../tasks-url.ts';
import { ComplianceRing } from './compliance-ring.tsx';

type CardFilter = Pick<TasksState, 'status' | 'range'>;
type CardLook = {
  name: string;
  figure: keyof TaskSummary;
  icon: LucideIcon;
  colour: string;
  /** The filter for the tasks that the card counts. */
  filter: CardFilter;
};

const CARDS: readonly CardLook[] = [
  {
    name: 'Compliant',
    figure: 'compliant',
    icon: CircleCheck,
    colour: 'text-ok',
    filter: { status: 'compliant', range: 'all' },
  },
  {
    name: 'Non-Compliant',
    figure: 'nonCompliant',
    icon: CircleX,
    colour: 'text-bad',
    filter: { status: 'non-compliant', range: 'all' },
  },
  {
    name: 'Overdue',
    figure: 'overdue',
    icon: AlarmClock,
    colour: 'text-bad',
    filter: { status: null, range: 'overdue' },
  },
  {
    name: 'Due This Week',
    figure: 'dueThisWeek',
    icon: CalendarClock,
    colour: 'text-due',
    filter: { status: null, range: 'week' },
  },
];

type Props = {
  /** Undefined while it loads. */
  summary: TaskSummary | undefined;
  state: CardFilter;
  onFilter: (filter: CardFilter) => void;
};

/** The four figures of the page. A click filters the list to the tasks that a figure counts; a second click shows all. */
export function SummaryCards({ summary, state, onFilter }: Props) {
  return (
    <section
      aria-label="Summary"
      className="grid grid-cols-2 gap-2.5 max-sm:grid-cols-[repeat(auto-fit,minmax(4.75rem,1fr))] max-sm:gap-1.5 lg:grid-cols-4 print:mb-4 print:grid-cols-4"
    >
      {CARDS.map(({ name, figure, icon: Icon, colour, filter }) => {
        const on = state.status === filter.status && state.range === filter.range;
        return (
          <button
            key={name}
            type="button"
            aria-pressed={on}
            onClick={() => onFilter(on ? { status: null, range: 'all' } : filter)}
            className={cx(
              'flex items-center justify-between gap-1 rounded-card border bg-surface px-2 py-2 text-left transition-colors hover:bg-mute max-sm:min-h-12 sm:px-4 sm:py-3',
              on ? 'border-brand ring-1 ring-brand' : 'border-line',
            )}
          >
            <span className="flex min-w-0 flex-col max-sm:h-full max-sm:flex-col-reverse max-sm:justify-end">
              <span className="flex items-center gap-1.5 text-ink-2 text-sm max-sm:text-xs max-sm:leading-tight">
                <Icon size={15} aria-hidden className={cx('max-sm:hidden', colour)} />
                {name}
              </span>
              {summary === undefined ? (
                <Skeleton className="mt-1 h-8 w-12" />
              ) : (
                <span className="flex items-center gap-1 font-semibold text-2xl text-ink tabular-nums max-sm:text-xl">
                  <Icon size={14} aria-hidden className={cx('sm:hidden', colour)} />
                  {summary[figure]}
                </span>
              )}
            </span>
            {figure === 'compliant' && summary !== undefined && <Percent summary={summary} />}
          </button>
        );
      })}
    </section>
  );
}

function Percent({ summary }: { summary: TaskSummary }) {
  const percent = compliantPercent(summary);
  if (percent === null) return null;
  return (
    <span className="relative grid shrink-0 place-items-center max-sm:hidden print:grid">
      <ComplianceRing percent={percent} size={46} />
      <span className="absolute font-semibold text-[11px] text-ink tabular-nums">{percent}%</span>
    </span>
  );
}
