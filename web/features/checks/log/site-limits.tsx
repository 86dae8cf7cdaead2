import { HeartPulse } from 'lucide-react';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { limitsInWords, waterLimits } from '#shared/features/checks/water-limits.words.ts';
import { Badge } from '../../../ui/badge.tsx';

/** By which limits the next reading at a site is judged; each record keeps the one that judged it. */
export function SiteLimits({ healthcare }: { healthcare: boolean }) {
  const cold = limitsInWords(waterLimits('cold', healthcare));
  const hot = limitsInWords(waterLimits('hot', healthcare));
  return (
    <p className="mb-2.5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-ink-2 tabular-nums">
      {logMessages.limitsHere(cold, hot)}
      {healthcare && (
        <Badge tone="info" icon={<HeartPulse size={13} aria-hidden />}>
          {logMessages.healthcare}
        </Badge>
      )}
    </p>
  );
}
