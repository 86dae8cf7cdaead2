import { Pause } from 'lucide-react';
import type { Issue } from '#shared/features/issues/issues.ts';
import { useNow } from '../../lib/time/use-now.ts';
import { cx } from '../../ui/cx.ts';
import { type SlaState, slaOf } from './sla.ts';

const tones: Record<SlaState['tone'], string> = {
  calm: 'text-ink-3',
  warn: 'text-due',
  late: 'text-bad',
  met: 'text-ok',
  paused: 'text-ink-2',
};

/** State of the issue's clock: "2h left", "4h over", "Resolved in 3h 10m", or the reason of the pause. */
export function SlaBadge({ issue, wraps }: { issue: Issue; wraps?: boolean }) {
  const sla = slaOf(issue, useNow());
  return sla === null ? null : <SlaText sla={sla} wraps={wraps} />;
}

/** Text of a clock in its colour, with the full sentence as tooltip and for screen readers. */
export function SlaText({ sla, wraps = false }: { sla: SlaState; wraps?: boolean | undefined }) {
  return (
    <span
      title={sla.title}
      className={cx(
        'inline-flex items-center gap-1 font-medium text-xs tabular-nums',
        wraps ? 'whitespace-normal' : 'whitespace-nowrap',
        tones[sla.tone],
      )}
    >
      {sla.tone === 'paused' && <Pause size={11} aria-hidden className="shrink-0" />}
      <span aria-hidden>{sla.text}</span>
      <span className="sr-only">{sla.title}</span>
    </span>
  );
}
