import { ChevronRight, ScanEye } from 'lucide-react';
import { Link } from 'react-router-dom';
import {
  CADENCE_LABELS,
  CHECK_VOCABULARY,
  type CheckKind,
} from '#shared/features/checks/kinds.vocabulary.ts';
import type { CheckCard } from '#shared/features/checks/procedure-answers.ts';
import { cx } from '../../../ui/cx.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import type { DueSites } from '../due/due-sites.ts';
import { cardLookOf } from '../kinds/check-cards.ts';
import { shortDay } from '../recording/site/site-note.tsx';
import { DueState } from './due-state.tsx';

type Props = {
  cards: readonly CheckCard[];
  /** Sites where each check is due; undefined when not known. */
  dueOf: (kind: CheckKind) => DueSites | undefined;
  /** Shown but disabled, for people who may view and not record. */
  inert: boolean;
};

/** One card for each kind of check: due and overdue sites, and when it was last done. */
export function CheckCards({ cards, dueOf, inert }: Props) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2" inert={inert} data-faded={inert || undefined}>
      {cards.map((card) => (
        <li key={card.kind}>
          <TaskCard card={card} due={dueOf(card.kind)} inert={inert} />
        </li>
      ))}
    </ul>
  );
}

function TaskCard({ card, due, inert }: { card: CheckCard; due: DueSites | undefined; inert: boolean }) {
  const { title, slug, standard, cadence } = CHECK_VOCABULARY[card.kind];
  const Icon = cardLookOf(card.kind)?.icon ?? ScanEye;
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
        {card.sites === 0 ? <Badge size="lg">Nothing to check</Badge> : <DueState card={card} due={due} />}
        <span className="text-ink-2 text-sm">
          {card.lastDone === null ? 'Never done' : `Last done ${shortDay(card.lastDone)}`}
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
