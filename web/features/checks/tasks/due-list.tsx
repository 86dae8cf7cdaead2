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
import { nameOf } from './due-state.tsx';

/** Maximum number of rows with a site for each check; the form offers the other sites. */
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
            <li key={one.card.kind}>
              <Sites {...one} />
            </li>
          ))}
        </ul>
      )}
    </section>
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
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
          <span className="font-semibold text-md">{title}</span>
          <span className="text-ink-2 text-sm tabular-nums">
            {formMessages.sitesDue(overdueOf(card, { sites, total }), total, shortDay(dueBy))}
          </span>
        </span>
      </p>
      <ul>
        {shown.map((site) => (
          <SiteRow key={site.id} title={title} to={formPath(card, site)}>
            <span className="line-clamp-2 min-w-0 flex-1 text-md [overflow-wrap:anywhere]">
              {nameOf(kind, site)}
            </span>
            <Badge tone={site.isOverdue ? 'bad' : 'due'} size="lg">
              {site.isOverdue ? formMessages.overdue : formMessages.due}
            </Badge>
          </SiteRow>
        ))}
        {total > shown.length && (
          <SiteRow title={title} to={formPath(card, undefined)}>
            <span className="min-w-0 flex-1 font-medium text-brand">{formMessages.allSites(total)}</span>
          </SiteRow>
        )}
      </ul>
    </>
  );
}

/**
 * Returns the number of overdue sites: the named ones, plus those among the sites that are only counted. The second number
 * is the card's overdue count minus the overdue sites that the card names.
 */
function overdueOf({ overdue, dueSites }: CheckCard, { sites, total }: DueSites): number {
  const isOverdue = (site: DueSite) => site.isOverdue;
  const unnamed = Math.min(overdue - dueSites.filter(isOverdue).length, total - sites.length);
  return sites.filter(isOverdue).length + Math.max(0, unnamed);
}

type SiteRowProps = { title: string; to: string; children: ReactNode };

/** A row of a check. The line above the row is aligned with the row's text. */
function SiteRow({ title, to, children }: SiteRowProps) {
  return (
    <li className="relative after:absolute after:top-0 after:right-0 after:left-12.5 after:border-line after:border-t">
      <Link to={to} className="flex min-h-12 items-center gap-3 py-2 pr-4 pl-12.5 hover:bg-mute">
        <span className="sr-only">{title}: </span>
        {children}
        <ChevronRight size={20} className="shrink-0 text-ink-3" aria-hidden />
      </Link>
    </li>
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
