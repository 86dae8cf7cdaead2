import { CircleCheck, Clock, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { PulseSummary } from '#shared/features/pulse/pulse.ts';
import { pulseMessages } from '#shared/features/pulse/pulse-messages.ts';
import { formatNumber } from '#shared/format-number.ts';
import { cx } from '../../ui/cx.ts';
import { Picture } from './picture.tsx';

type State = 'done' | 'due' | 'missed';
const STATES: readonly { state: State; label: string; icon: LucideIcon; ink: string; fill: string }[] = [
  { state: 'done', label: pulseMessages.checksDone, icon: CircleCheck, ink: 'text-ok', fill: 'bg-mark-pass' },
  { state: 'due', label: pulseMessages.checksDue, icon: Clock, ink: 'text-ink-2', fill: 'bg-step-off' },
  {
    state: 'missed',
    label: pulseMessages.checksMissed,
    icon: TriangleAlert,
    ink: 'text-bad',
    fill: 'bg-mark-fail',
  },
];

/** Checks of the present week or month: the number of done ones, of all that the schedules require. */
export function ChecksPicture({ checks }: { checks: PulseSummary['checks'] }) {
  const all = checks.done + checks.due + checks.missed;
  return (
    <Picture title={pulseMessages.checksTitle} text={pulseMessages.checksText(checks.done, all)}>
      {all > 0 && (
        <div aria-hidden className="flex h-3 gap-0.5 overflow-hidden rounded-full">
          {STATES.map(
            ({ state, fill }) =>
              checks[state] > 0 && (
                <span
                  key={state}
                  className={cx('h-full min-w-1', fill)}
                  style={{ flexGrow: checks[state] }}
                />
              ),
          )}
        </div>
      )}
      <dl className="mt-3 grid gap-1.5">
        {STATES.map(({ state, label, icon: Icon, ink }) => (
          <div key={state} className="flex items-center gap-2">
            <Icon size={16} aria-hidden className={ink} />
            <dt className="flex-1">{label}</dt>
            <dd className="font-semibold tabular-nums">{formatNumber(checks[state])}</dd>
          </div>
        ))}
      </dl>
    </Picture>
  );
}
