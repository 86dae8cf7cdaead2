import { ChevronRight, CircleCheck, ScanEye } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import { useCards } from '../due/use-cards.ts';
import { cardLookOf } from '../kinds/check-cards.ts';
import { useDue } from '../recording/use-due.ts';
import { DueState } from './due-state.tsx';

/** Checks that are due, with their sites, each linked to its form. Part of the operative's dashboard. */
export function DueList() {
  const cards = useCards();
  const due = useDue();
  const known = (cards.value?.cards ?? []).flatMap((card) => {
    const sites = card.sites > 0 ? due.of(card.kind) : undefined;
    return sites === undefined ? [] : [{ card, sites }];
  });
  const waiting = known.filter(({ sites }) => sites.total > 0);
  if (known.length === 0) return null;
  return (
    <section aria-labelledby="due-now" className="mb-6">
      <h2 id="due-now" className="mb-2 font-semibold text-md">
        {formMessages.dueNow}
      </h2>
      {waiting.length === 0 ? (
        <p className="flex items-center gap-2.5 rounded-phone border border-line bg-surface p-4 font-medium text-ok">
          <CircleCheck size={20} aria-hidden />
          {formMessages.nothingDue}
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-phone border border-line bg-surface">
          {waiting.map(({ card, sites }) => {
            const { title, slug } = CHECK_VOCABULARY[card.kind];
            const Icon = cardLookOf(card.kind)?.icon ?? ScanEye;
            return (
              <li key={card.kind}>
                <Link
                  to={`/operative-tasks/${slug}`}
                  className="flex min-h-16 items-center gap-3 px-4 py-2.5 hover:bg-mute"
                >
                  <Icon size={22} aria-hidden className="shrink-0 text-brand" />
                  <span className="grid min-w-0 flex-1 gap-1">
                    <span className="font-semibold text-md">{title}</span>
                    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                      <DueState card={card} due={sites} />
                    </span>
                  </span>
                  <ChevronRight size={20} className="text-ink-3" aria-hidden />
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
