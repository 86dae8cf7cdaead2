import { CalendarClock, ShieldCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatWeekdayDate } from '#shared/dates.ts';
import { CADENCE_LABELS, CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import type { CheckCard } from '#shared/features/checks/procedure-answers.ts';
import { scheduleMessages } from '#shared/features/checks/schedule-messages.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { ButtonLink } from '../../../ui/buttons/button-link.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Page } from '../../../ui/page.tsx';
import { HeldLink } from '../held/held-link.tsx';
import { cardLookOf } from '../kinds/check-cards.ts';
import { checkCards } from '../register.live.ts';
import { MissingSites } from './missing-sites.tsx';

/** The log book: one card for each kind of check, and the sites still missing in the current period. */
export default function LogbookPage() {
  const { can } = usePermissions();
  const { data, status, error, refetch } = useLiveQuery(checkCards, undefined);
  return (
    <Page
      subtitle={logMessages.subtitle}
      actions={
        (can('manage_users') || can('edit_buildings')) && (
          <>
            {can('edit_buildings') && (
              <ButtonLink to="/logbook/schedules">
                <CalendarClock size={16} aria-hidden />
                {scheduleMessages.title}
              </ButtonLink>
            )}
            {can('manage_users') && <HeldLink />}
          </>
        )
      }
    >
      {status === 'error' ? (
        <ErrorState title={messageFor(error, logMessages.loadFailed)} error={error} onRetry={refetch} />
      ) : (
        <ul className="grid gap-3.5 sm:grid-cols-2 xl:grid-cols-4">
          {data === undefined
            ? ['a', 'b', 'c', 'd'].map((key) => (
                <li key={key}>
                  <Skeleton className="h-44" />
                </li>
              ))
            : data.cards.map((card) => (
                <li key={card.kind}>
                  <LogCard card={card} />
                </li>
              ))}
        </ul>
      )}
      {data !== undefined && <Missing cards={data.cards} today={data.today} />}
    </Page>
  );
}

/** Sites without a record, by kind. */
function Missing({ cards, today }: { cards: readonly CheckCard[]; today: string }) {
  const open = cards.filter(({ due, underRebuild }) => due > 0 && !underRebuild);
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="missing" className="mt-6">
      <h2 id="missing" className="mb-2.5 font-semibold text-ink text-md">
        {logMessages.toDoTitle}
      </h2>
      <div className="grid items-start gap-3.5 sm:grid-cols-2 xl:grid-cols-4">
        {open.map((card) => (
          <MissingSites key={card.kind} card={card} today={today} />
        ))}
      </div>
    </section>
  );
}

function LogCard({ card }: { card: CheckCard }) {
  const { slug, logTitle, standard, cadence } = CHECK_VOCABULARY[card.kind];
  const look = cardLookOf(card.kind);
  const Icon = look?.logIcon ?? look?.icon ?? ShieldCheck;
  return (
    <Link
      to={`/logbook/${slug}`}
      data-kind={card.kind}
      className="flex h-full flex-col rounded-card border border-line bg-surface p-4 transition-colors hover:border-brand"
    >
      <span className="flex items-start gap-3">
        <span
          className="grid size-10 shrink-0 place-items-center rounded-control bg-brand-soft text-brand"
          aria-hidden
        >
          <Icon size={20} />
        </span>
        <span className="min-w-0">
          <span className="block font-semibold text-ink text-md leading-snug">{logTitle}</span>
          <span className="block text-ink-2 text-sm">
            {standard} · {CADENCE_LABELS[cadence]}
          </span>
        </span>
      </span>
      {card.underRebuild ? (
        <span className="mt-4 text-ink-2 text-sm">{logMessages.rebuilding}</span>
      ) : (
        <Standing card={card} period={cadence === 'weekly' ? 'this week' : 'this month'} />
      )}
    </Link>
  );
}

function Standing({ card, period }: { card: CheckCard; period: string }) {
  const done = card.sites - card.due;
  return (
    <>
      <span className="mt-4 flex items-baseline justify-between gap-3">
        <span className="font-semibold text-2xl text-ink tabular-nums tracking-[-0.02em]">
          {done}
          <span className="font-medium text-ink-3 text-md"> / {card.sites}</span>
        </span>
        <span className="text-ink-2 text-sm">sites done {period}</span>
      </span>
      <span className="mt-2 block h-1.5 overflow-hidden rounded-full bg-mute" aria-hidden>
        <span
          className="block h-full rounded-full bg-mark-pass"
          style={{ width: card.sites === 0 ? 0 : `${(done / card.sites) * 100}%` }}
        />
      </span>
      <span className="mt-3 flex flex-wrap gap-1.5">
        {card.sites === 0 ? (
          <Badge>{logMessages.noSites}</Badge>
        ) : card.due === 0 ? (
          <Badge tone="ok">{logMessages.allDone}</Badge>
        ) : (
          <Badge tone="due">{logMessages.toDo(card.due, card.sites)}</Badge>
        )}
        {card.overdue > 0 && <Badge tone="bad">{card.overdue} overdue</Badge>}
        {card.unexplained > 0 && <Badge tone="due">{logMessages.unexplained(card.unexplained)}</Badge>}
      </span>
      <span className="mt-auto pt-3 text-ink-2 text-sm">
        Last done {card.lastDone === null ? 'never' : formatWeekdayDate(card.lastDone)}
        {card.due > 0 && <span className="block">Due by {formatWeekdayDate(card.dueBy)}</span>}
      </span>
    </>
  );
}
