import { AlarmClock, CalendarX2, Hourglass, Siren, UserRound, Wrench } from 'lucide-react';
import type { PulseSummary, Upkeep } from '#shared/features/pulse/pulse.ts';
import { pulseMessages } from '#shared/features/pulse/pulse-messages.ts';
import { issueCounts } from '../../../features/issues/issues.live.ts';
import { type CardFigure, FigureLine } from '../../../features/pulse/figure-line.tsx';
import { upkeep } from '../../../features/pulse/pulse.live.ts';
import { useSummary } from '../../../features/pulse/use-summary.ts';
import { useMe } from '../../../features/session/session-context.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { type Page, pages } from '../../pages.ts';

/** The figures on a page's card, which help to choose the card; renders nothing for pages without figures. */
export default function CardFigures({ page }: { page: Page }) {
  const { value } = useSummary();
  if (page === pages.buildingIssues) return <IssueFigures summary={value} />;
  const figures = FIGURES.get(page);
  if (figures !== undefined) return <FigureLine figures={value && figures(value)} />;
  const others = UPKEEP.get(page);
  return others === undefined ? null : <UpkeepFigures figuresOf={others} />;
}

function UpkeepFigures({ figuresOf }: { figuresOf: (counted: Upkeep) => CardFigure[] }) {
  const { data } = useLiveQuery(upkeep, undefined);
  return <FigureLine figures={data && figuresOf(data)} />;
}

const FIGURES: ReadonlyMap<Page, (summary: PulseSummary) => CardFigure[]> = new Map<
  Page,
  (summary: PulseSummary) => CardFigure[]
>([
  [pages.logbook, ({ checks }) => [overdue(checks.missed)]],
  [
    pages.operativeTasks,
    ({ checks: { due, missed: late } }) => [
      due === 0 && late === 0
        ? { count: null, label: pulseMessages.noneDue, tone: 'plain' }
        : { count: due, label: pulseMessages.due, tone: 'plain' },
      ...(late > 0 ? [overdue(late)] : []),
    ],
  ],
  [
    pages.locations,
    ({ buildings }) => [{ count: buildings, label: pulseMessages.buildings(buildings), tone: 'plain' }],
  ],
]);

const UPKEEP: ReadonlyMap<Page, (counted: Upkeep) => CardFigure[]> = new Map<
  Page,
  (counted: Upkeep) => CardFigure[]
>([
  [
    pages.assets,
    ({ assetsDue, assetsDueIsLeast }) => [
      assetsDue === 0
        ? { count: null, label: pulseMessages.noneDueForService, tone: 'plain' }
        : {
            count: assetsDue,
            isLeast: assetsDueIsLeast,
            label: pulseMessages.dueForService,
            tone: 'due',
            icon: Wrench,
          },
    ],
  ],
  [
    pages.documents,
    ({ documents: { expired, expiresSoon } }) => {
      const figures: CardFigure[] = [
        { count: expired, label: pulseMessages.expired, tone: 'bad', icon: CalendarX2 },
        { count: expiresSoon, label: pulseMessages.expireSoon(expiresSoon), tone: 'due', icon: Hourglass },
      ];
      return expired + expiresSoon === 0
        ? [{ count: null, label: pulseMessages.noneExpire, tone: 'plain' }]
        : figures.filter(({ count }) => count !== 0);
    },
  ],
  [
    pages.userManagement,
    ({ people }) =>
      people === null ? [] : [{ count: people, label: pulseMessages.people(people), tone: 'plain' }],
  ],
]);

/** The figure of checks that were not recorded for a whole period: the log book and the forms call these checks overdue. */
function overdue(count: number): CardFigure {
  return count === 0
    ? { count: null, label: pulseMessages.noneOverdue, tone: 'plain' }
    : { count, label: pulseMessages.overdue, tone: 'bad', icon: AlarmClock };
}

/**
 * Figures of the issues in the person's buildings, and of the issues assigned to the person. The assigned issues have a
 * query of their own, because it depends on the person.
 */
function IssueFigures({ summary }: { summary: PulseSummary | undefined }) {
  const { id } = useMe();
  const { data: mine } = useLiveQuery(issueCounts, { assignedTo: id, statuses: ['open', 'in_progress'] });
  return <FigureLine figures={summary && issueFigures(summary, mine?.matching ?? 0)} />;
}

function issueFigures({ openIssues, overdueIssues }: PulseSummary, waiting: number): CardFigure[] {
  const { low, medium, high, critical } = openIssues;
  const open = low + medium + high + critical;
  const figures: CardFigure[] = [
    { count: critical, label: pulseMessages.critical, tone: 'bad', icon: Siren },
    { count: overdueIssues, label: pulseMessages.overdue, tone: 'bad', icon: AlarmClock },
    { count: waiting, label: pulseMessages.waiting, tone: 'due', icon: UserRound },
  ];
  return [
    open === 0
      ? { count: null, label: pulseMessages.noneOpen, tone: 'plain' }
      : { count: open, label: pulseMessages.open, tone: 'plain' },
    ...figures.filter(({ count }) => count !== 0),
  ];
}
