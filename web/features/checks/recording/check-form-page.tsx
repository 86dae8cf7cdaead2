import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import {
  INCIDENT_VOCABULARY,
  isIncident,
  type LogKind,
  logKindOfSlug,
  logOf,
  titleOf,
} from '#shared/features/checks/incidents.vocabulary.ts';
import { CADENCE_LABELS, CHECK_VOCABULARY, isOptional } from '#shared/features/checks/kinds.vocabulary.ts';
import { useToday } from '../../../lib/time/use-today.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { useMe } from '../../session/session-context.ts';
import { useRound } from '../due/use-round.ts';
import { CheckEdit } from './check-edit.tsx';
import { CheckForm } from './check-form.tsx';
import { FormFrame } from './form-frame.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import { ownRecordOf } from './own-records.ts';
import { Receipt } from './receipt/receipt.tsx';
import { ScanLink } from './site/scan-link.tsx';
import { useDue } from './site/use-due.ts';
import { useOpeningSite } from './site/use-opening-site.ts';
import { useSiteChoice } from './site/use-site-choice.ts';

/** @param notFound shown for an unknown form, and for an optional kind that the operator has not enabled */
type Props = { notFound: ReactNode };

/**
 * Page of a record form. Site and receipt are in the URL, so that a reload shows the same page.
 * @param slug the kind of record in the URL
 */
export default function CheckFormPage({ slug, notFound }: Props & { slug: string }) {
  const kind = logKindOfSlug(slug);
  return kind === undefined ? notFound : <KindFormPage kind={kind} notFound={notFound} />;
}

function KindFormPage({ kind, notFound }: Props & { kind: LogKind }) {
  const me = useMe();
  const today = useToday();
  const sites = useSiteChoice();
  const { round, remember, loading } = useRound(today);
  const due = useDue();
  const [params, setParams] = useSearchParams();
  const opens = useOpeningSite(kind, { sites, due, round: loading ? undefined : round.siteIds });
  const done = params.get('done');
  const edited = params.get('edit');
  const known = sites.value?.sites ?? [];
  const siteId = params.get('site') ?? undefined;
  const dueSites = due.of(kind);

  function goTo(to: string, from: string | undefined) {
    remember({ siteId: to });
    setParams({ site: to }, { replace: true });
    if (from === undefined || from === to) return;
    toast({
      title: formMessages.siteChanged(known.find(({ id }) => id === to)?.name ?? ''),
      action: { label: 'Undo', onSelect: () => goTo(from, undefined) },
    });
  }

  const title = titleOf(kind);
  const subtitle = subtitleOf(kind);
  if (done !== null) {
    return (
      <Receipt
        kind={kind}
        id={done}
        title={title}
        subtitle={subtitle}
        // The next due site other than this one.
        next={dueSites?.sites.find(({ id }) => id !== siteId)}
        onNext={(site = siteId) => setParams(site === undefined ? {} : { site }, { replace: true })}
      />
    );
  }
  const { value } = sites;
  if (value !== undefined && !value.kinds.includes(logOf(kind))) return notFound;
  // The enabled optional kinds are known only once the sites have loaded.
  const unknown = siteId === undefined || isOptional(logOf(kind));
  if (loading || opens || (sites.status === 'loading' && unknown)) {
    return (
      <FormFrame title={title} subtitle={subtitle} foot={null}>
        <FormSkeleton />
      </FormFrame>
    );
  }
  if (edited !== null && siteId !== undefined) {
    // The site of a refused record is fixed: at another site it would be another record.
    const here = known.filter(({ id }) => id === siteId);
    return (
      <CheckEdit
        key={edited}
        id={edited}
        kind={kind}
        title={title}
        subtitle={subtitle}
        sites={{ ...sites, value: sites.value && { ...sites.value, sites: here } }}
        siteId={siteId}
        today={today}
        operativeName=""
        onName={() => undefined}
        onSite={() => undefined}
        onRecorded={(id) => setParams({ done: id, site: siteId }, { replace: true })}
      />
    );
  }
  return (
    <CheckForm
      // Remounts per site, because each site has its own draft.
      key={siteId ?? ''}
      kind={kind}
      title={title}
      subtitle={subtitle}
      sites={sites}
      siteId={siteId}
      today={today}
      operativeName={round.operativeName ?? `${me.firstName} ${me.lastName}`.trim()}
      onName={(operativeName) => remember({ operativeName })}
      onSite={(to) => goTo(to, siteId)}
      action={isIncident(kind) ? undefined : <ScanLink />}
      due={dueSites}
      round={round.siteIds}
      onRecorded={(id, visit) => {
        remember({ siteId: visit.buildingId, record: ownRecordOf(id, visit) });
        setParams({ done: id, site: visit.buildingId }, { replace: true });
      }}
    />
  );
}

function subtitleOf(kind: LogKind): string {
  if (isIncident(kind)) return INCIDENT_VOCABULARY[kind].standard;
  const { cadence, standard } = CHECK_VOCABULARY[kind];
  return `${CADENCE_LABELS[cadence]} · ${standard}`;
}
