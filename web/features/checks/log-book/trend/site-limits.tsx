import { HeartPulse } from 'lucide-react';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import type { Measures } from '#shared/features/checks/log-presentation.ts';
import { Badge } from '../../../../ui/feedback/badge.tsx';

/** The limits that judge the next reading at a site. Past records keep the limits that judged them. */
export function SiteLimits({ measures, healthcare }: { measures: Measures; healthcare: boolean }) {
  return (
    <p className="mb-2.5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-ink-2 tabular-nums">
      {measures.limitsAt(healthcare)}
      {healthcare && (
        <Badge tone="info" icon={<HeartPulse size={13} aria-hidden />}>
          {logMessages.healthcare}
        </Badge>
      )}
    </p>
  );
}
