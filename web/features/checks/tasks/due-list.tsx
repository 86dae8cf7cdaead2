import { ChevronRight, CircleCheck, ScanEye } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import type { CheckCard, DueSite } from '#shared/features/checks/procedure-answers.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import type { DueSites } from '../due/due-sites.ts';
import { useCards } from '../due/use-cards.ts';
import { cardLookOf } from '../kinds/check-cards.ts';
import { shortDay } from '../recording/site/site-note.tsx';
import { useDue } from '../recording/site/use-due.ts';
import { DueState, nameOf } from './due-state.tsx';

/** How many sites of a check get a row each, at most; the form offers the others. */
const SITES_SHOWN = 5;

type Waiting = { card: CheckCard; sites: DueSites };

/** Checks that are due, a row for each site that opens the form there. Part of the operative's dashboard. */
export function DueList() {
  const cards = useCards();
  const due = useDue();
  const known = (cards.value?.cards ?? []).flatMap((card): Waiting[] => {
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
          {waiting.map((one) => (
            <li key={one.card.kind}>{one.sites.total === 1 ? <OneSite {...one} /> : <Sites {...one} />}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function OneSite({ card, sites }: Waiting) {
  const { title } = CHECK_VOCABULARY[card.kind];
  return (
    <RowLink to={formPath(card, sites.sites[0])} className="min-h-16 px-4">
      <KindIcon kind={card.kind} />
      <span className="grid min-w-0 flex-1 gap-1">
        <span className="font-semibold text-md">{title}</span>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <DueState card={card} due={sites} />
        </span>
      </span>
    </RowLink>
  );
}

function Sites({ card, sites: { sites, total } }: Waiting) {
  const { kind, dueBy } = card;
  const { title } = CHECK_VOCABULARY[kind];
  const shown = sites.slice(0, SITES_SHOWN);
  return (
    <>
      <p className="flex items-center gap-3 px-4 pt-3 pb-1">
        <KindIcon kind={kind} />
        <span className="min-w-0 flex-1">
          <span className="font-semibold text-md">{title}</span>{' '}
          <span className="text-ink-2 text-sm">{formMessages.sitesBy(total, shortDay(dueBy))}</span>
        </span>
      </p>
      <ul className="pb-1.5">
        {shown.map((site) => (
          <li key={site.id}>
            <RowLink to={formPath(card, site)} className="min-h-12 pr-4 pl-12.5">
              <span className="sr-only">{title}: </span>
              <span className="min-w-0 flex-1 truncate text-md">{nameOf(kind, site)}</span>
              {site.isOverdue && (
                <Badge tone="bad" size="lg">
                  {formMessages.overdue}
                </Badge>
              )}
            </RowLink>
          </li>
        ))}
        {total > shown.length && (
          <li>
            <RowLink to={formPath(card, undefined)} className="min-h-12 pr-4 pl-12.5 font-medium text-brand">
              <span className="sr-only">{title}: </span>
              <span className="min-w-0 flex-1">{formMessages.allSites(total)}</span>
            </RowLink>
          </li>
        )}
      </ul>
    </>
  );
}

function RowLink({ to, className, children }: { to: string; className: string; children: ReactNode }) {
  return (
    <Link to={to} className={`flex items-center gap-3 py-2 hover:bg-mute ${className}`}>
      {children}
      <ChevronRight size={20} className="shrink-0 text-ink-3" aria-hidden />
    </Link>
  );
}

function KindIcon({ kind }: Pick<CheckCard, 'kind'>) {
  const Icon = cardLookOf(kind)?.icon ?? ScanEye;
  return <Icon size={22} aria-hidden className="shrink-0 text-brand" />;
}

/** Returns the path of the form at a site; without a site the form asks for one. */
function formPath({ kind }: CheckCard, site: DueSite | undefined): string {
  const path = `/operative-tasks/${CHECK_VOCABULARY[kind].slug}`;
  return site === undefined ? path : `${path}?site=${site.id}`;
}
