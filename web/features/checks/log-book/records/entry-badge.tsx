import { BellOff } from 'lucide-react';
import { INCIDENT_VOCABULARY, isIncident } from '#shared/features/checks/incidents.vocabulary.ts';
import { Badge } from '../../../../ui/feedback/badge.tsx';
import { ResultBadge } from '../../result-badge.tsx';
import type { LogEntry } from './log-entry.ts';

/** Badge with an entry's result; for an incident its title. */
export function EntryBadge({ entry: { kind, result, outcome } }: { entry: LogEntry }) {
  if (isIncident(kind)) {
    return (
      <Badge tone="info" icon={<BellOff size={13} aria-hidden />}>
        {INCIDENT_VOCABULARY[kind].title}
      </Badge>
    );
  }
  return <ResultBadge result={result}>{outcome ?? undefined}</ResultBadge>;
}
