import { BellRing, ChevronRight, CircleCheck, Droplets, Lightbulb, ScanEye, Thermometer } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatWeekdayDate } from '#shared/dates.ts';
import type { CheckCard } from '#shared/features/checks/answers.ts';
import { CADENCE_LABELS, CHECK_WORDS, type CheckKind } from '#shared/features/checks/kinds.words.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';

const ICONS: Readonly<Partial<Record<CheckKind, typeof BellRing>>> = {
  fire_alarm_test: BellRing,
  emergency_lighting_test: Lightbulb,
  water_temperature_check: Thermometer,
  outlet_flushing: Droplets,
};

type Props = {
  cards: readonly CheckCard[];
  /** To be seen and not to be used: for those who may look alone. */
  inert: boolean;
};

/** A card for each kind of check: whether it is due, when it was last done, and at how many sites it is late. */
export function TaskCards({ cards, inert }: Props) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2" inert={inert} data-faded={inert || undefined}>
      {cards.map((card) => (
        <li key={card.kind}>
          <TaskCard card={card} inert={inert} />
        </li>
      ))}
    </ul>
  );
}

function TaskCard({ card, inert }: { card: CheckCard; inert: boolean }) {
  const { title, slug, standard, cadence } = CHECK_WORDS[card.kind];
  const Icon = ICONS[card.kind] ?? ScanEye;
  const look = 'flex h-full flex-col rounded-phone border border-line bg-surface p-4';
  const inside = (
    <>
      <span className="flex items-start gap-3.5">
        <span
          className="grid size-12 shrink-0 place-items-center rounded-panel bg-brand-soft text-brand"
          aria-hidden
        >
          <Icon size={22} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-semibold text-[17px] text-ink leading-snug">{title}</span>
          <span className="block text-ink-2">
            {CADENCE_LABELS[cadence]} · {standard}
          </span>
        </span>
        <ChevronRight size={20} className="mt-1 text-ink-3" aria-hidden />
      </span>
      <span className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Standing card={card} />
        <span className="text-ink-2 text-sm">
          {card.lastDone === null
            ? 'Never done'
            : `Last done ${formatWeekdayDate(card.lastDone, 'UTC').replace(/ \d{4}$/, '')}`}
        </span>
      </span>
    </>
  );
  if (inert) {
    return (
      <div className={cx(look, 'opacity-50')} aria-disabled>
        {inside}
      </div>
    );
  }
  return (
    <Link to={`/operative-tasks/${slug}`} className={cx(look, 'transition-colors hover:border-brand')}>
      {inside}
    </Link>
  );
}

/** Overdue before due, and how many sites of how many. */
function Standing({ card: { sites, due, overdue, dueBy } }: { card: CheckCard }): ReactNode {
  const by = formatWeekdayDate(dueBy, 'UTC').replace(/ \d{4}$/, '');
  if (sites === 0) return <Badge size="lg">Nothing to check</Badge>;
  return (
    <>
      {overdue > 0 && (
        <Badge tone="bad" size="lg">
          Overdue at {overdue} of {sites}
        </Badge>
      )}
      {due > overdue && (
        <Badge tone="due" size="lg">
          Due at {due - overdue} of {sites} by {by}
        </Badge>
      )}
      {due === 0 && overdue === 0 && (
        <Badge tone="ok" size="lg" icon={<CircleCheck size={14} aria-hidden />}>
          Up to date
        </Badge>
      )}
    </>
  );
}
