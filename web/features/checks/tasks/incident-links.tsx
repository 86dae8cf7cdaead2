import { ChevronRight, ShieldAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { INCIDENT_KINDS, INCIDENT_VOCABULARY } from '#shared/features/checks/incidents.vocabulary.ts';
import { cardLookOf } from '../kinds/check-cards.ts';

/** Links to the forms of incidents, which are recorded when they happen and are never due. */
export function IncidentLinks() {
  return INCIDENT_KINDS.map((kind) => {
    const { slug, record } = INCIDENT_VOCABULARY[kind];
    const { icon: Icon = ShieldAlert, hint } = cardLookOf(kind) ?? {};
    return (
      <Link
        key={kind}
        to={`/operative-tasks/${slug}`}
        className="flex min-h-14 items-center gap-3.5 rounded-phone border border-line bg-surface px-4 py-3 transition-colors hover:border-brand"
      >
        <Icon size={20} aria-hidden className="shrink-0 text-ink-2" />
        <span className="min-w-0 flex-1">
          <span className="block font-semibold text-ink text-md">{record}</span>
          <span className="block text-ink-2 text-sm">{hint}</span>
        </span>
        <ChevronRight size={20} className="text-ink-3" aria-hidden />
      </Link>
    );
  });
}
