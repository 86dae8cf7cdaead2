import { pulseMessages } from '#shared/features/pulse/pulse-messages.ts';
import { ChecksPicture } from '../../../features/pulse/checks-picture.tsx';
import { CompliancePicture } from '../../../features/pulse/compliance-picture.tsx';
import { useKeepSummary, useSummary } from '../../../features/pulse/use-summary.ts';
import { useWorstBuildings } from '../../../features/pulse/use-worst-buildings.ts';
import { WeeksPicture } from '../../../features/pulse/weeks-picture.tsx';
import { usePermissions } from '../../../lib/can.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyAge } from '../../../ui/feedback/copy-age.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { pages } from '../../pages.ts';

/** The charts of the dashboards, in one panel: each chart is shown to people who may see the records that it counts. */
export default function PulsePanel() {
  const { can } = usePermissions();
  const summary = useSummary();
  useKeepSummary();
  const worst = useWorstBuildings({ enabled: can('view_tasks') });
  const { value } = summary;
  if (value?.buildings === 0) return null;
  return (
    <section aria-labelledby="at-a-glance" className="mt-6">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <h2 id="at-a-glance" className="font-semibold text-md">
          {pulseMessages.panel}
        </h2>
        <CopyAge keptAt={summary.keptAt ?? worst.keptAt} />
      </div>
      <Card className="grid divide-y divide-line lg:auto-cols-fr lg:grid-flow-col lg:divide-x lg:divide-y-0">
        {value === undefined ? (
          <Waiting failed={summary.status === 'error'} onTryAgain={summary.refetch} />
        ) : (
          <>
            {can('view_building_issues') && <WeeksPicture {...value.weeks} />}
            {can('view_logbook') && <ChecksPicture checks={value.checks} />}
            {can('view_tasks') && (
              <CompliancePicture
                buildings={worst.value ?? []}
                path={pages.compliance.path}
                libraryPath={can('create_tasks') ? pages.taskTemplates.path : undefined}
              />
            )}
          </>
        )}
      </Card>
    </section>
  );
}

function Waiting({ failed, onTryAgain }: { failed: boolean; onTryAgain: () => void }) {
  if (failed) return <ErrorState title={pulseMessages.loadFailed} onRetry={onTryAgain} />;
  return (
    <div className="p-4">
      <Skeleton className="h-52" />
    </div>
  );
}
