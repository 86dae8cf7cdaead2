import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import {
  INCIDENT_WORDS,
  isIncident,
  type LogKind,
  logOf,
  titleOf,
} from '#shared/features/checks/incidents.words.ts';
import { CADENCE_LABELS, CHECK_WORDS, isOptional } from '#shared/features/checks/kinds.words.ts';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../session/session-context.ts';
import { CheckEdit } from './check-edit.tsx';
import { CheckForm } from './check-form.tsx';
import { FormFrame } from './form-frame.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import { useToday } from './log/use-today.ts';
import { Receipt } from './receipt.tsx';
import { ScanLink } from './scan-link.tsx';
import { useRound } from './use-round.ts';
import { useSiteChoice } from './use-site-choice.ts';

type Props = {
  kind: LogKind;
  /** Shown in place of a form that an operator has not switched on. */
  notFound: ReactNode;
};

/** One of the record forms. Site and receipt are in the address: a reload shows the same. */
export default function CheckFormPage({ kind, notFound }: Props) {
  const me = useMe();
  const today = useToday();
  const sites = useSiteChoice();
  const { round, remember, loading } = useRound(today);
  const [params, setParams] = useSearchParams();
  const done = params.get('done');
  const edited = params.get('edit');
  const known = sites.value?.sites ?? [];
  const only = known.length === 1 && sites.value?.more === false ? known[0]?.id : undefined;
  const siteId = params.get('site') ?? round.siteId ?? only;

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
        onNext={() => setParams({}, { replace: true })}
      />
    );
  }
  const { value } = sites;
  if (value !== undefined && !value.kinds.includes(logOf(kind))) return notFound;
  // Whether an optional one is switched on is known with the sites.
  const unknown = siteId === undefined || isOptional(logOf(kind));
  if (loading || (sites.status === 'loading' && unknown)) {
    return (
      <FormFrame title={title} subtitle={subtitle} foot={null}>
        <FormSkeleton />
      </FormFrame>
    );
  }
  if (edited !== null && siteId !== undefined) {
    // It stays a record of its site: of another one it would be another record.
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
        onRecorded={(id) => setParams({ done: id }, { replace: true })}
      />
    );
  }
  return (
    <CheckForm
      // Another site, another draft: nothing of the one may be seen in the other.
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
      onRecorded={(id) => {
        if (siteId !== undefined) remember({ siteId });
        setParams({ done: id }, { replace: true });
      }}
    />
  );
}

function subtitleOf(kind: LogKind): string {
  if (isIncident(kind)) return INCIDENT_WORDS[kind].standard;
  const { cadence, standard } = CHECK_WORDS[kind];
  return `${CADENCE_LABELS[cadence]} · ${standard}`;
}
