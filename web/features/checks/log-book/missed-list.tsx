import { lazy, Suspense, useState } from 'react';
import type { Cadence, Period } from '#shared/check-periods.ts';
import { formatWeekdayDate } from '#shared/dates.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import type { MissedPeriod } from '#shared/features/checks/rows.ts';
import { signedName } from '#shared/text/names.ts';
import { usePermissions } from '../../../lib/can.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { periodName } from './period-name.ts';

const ExplainDialog = lazy(() => import('./explain-dialog.tsx'));

type Props = {
  site: { id: string; name: string };
  kind: CheckKind;
  cadence: Cadence;
  /** Past periods without a record. */
  periods: readonly Period[];
  missed: readonly MissedPeriod[];
};

/** Missed periods of a site with their reasons, or a button to give one. */
export function MissedList({ site, kind, cadence, periods, missed }: Props) {
  const { can } = usePermissions();
  const [explaining, setExplaining] = useState<Period>();
  if (periods.length === 0) return null;
  return (
    <Card className="mt-3.5 px-4 py-3">
      <h2 className="mb-1 font-semibold text-ink">{logMessages.missedTitle}</h2>
      <ul className="divide-y divide-line">
        {periods.map((period) => {
          const reason = missed.find(({ start }) => start === period.start);
          return (
            <li key={period.start} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
              <span className="w-full font-medium sm:w-56 text-ink tabular-nums">
                {periodName(cadence, period)}
              </span>
              <span className="min-w-0 flex-1 text-ink-2 [overflow-wrap:anywhere]">
                {reason === undefined ? (
                  <span className="text-due">{logMessages.noReason}</span>
                ) : (
                  <>
                    {reason.reason}{' '}
                    <span className="text-ink-3">
                      ({signedName(reason.explainedByName, reason.explainedByNow)},{' '}
                      {formatWeekdayDate(reason.explainedAt)})
                    </span>
                  </>
                )}
              </span>
              {reason === undefined && can('create_logbook_entries') && (
                <Button size="sm" className="print:hidden" onClick={() => setExplaining(period)}>
                  {logMessages.giveReason}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <Suspense fallback={null}>
        {explaining !== undefined && (
          <ExplainDialog
            site={site}
            kind={kind}
            period={explaining}
            onClose={() => setExplaining(undefined)}
          />
        )}
      </Suspense>
    </Card>
  );
}
