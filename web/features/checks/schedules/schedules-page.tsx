import { CalendarClock } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { SiteSchedule } from '#shared/features/checks/procedure-answers.ts';
import { scheduleMessages } from '#shared/features/checks/schedule-messages.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { uuidOrNull } from '../../../lib/uuid-or-null.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { isRefusedRead } from '../../../live/stream/wire-error.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Page } from '../../../ui/page.tsx';
import { useMedia } from '../../../ui/use-media.ts';
import { BuildingPicker } from '../../locations/pickers/building-picker.tsx';
import { myBuildings } from '../../locations/pickers/my-buildings.live.ts';
import { useScope } from '../../locations/pickers/use-scope.ts';
import { type KindSchedule, ScheduleCard } from './schedule-card.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { siteSchedule } from './site-schedule.live.ts';

/** The schedules of one site, named by `?building=`. */
export default function SchedulesPage() {
  const [params, setParams] = useSearchParams();
  const wide = useMedia('(min-width: 640px)');
  const places = useLiveQuery(myBuildings, undefined);
  const restore = useCallback((building: string) => setParams({ building }, { replace: true }), [setParams]);
  const { buildingId, isRestoring } = useScope({
    page: 'schedules',
    building: uuidOrNull(params.get('building')),
    places: places.data,
    onRemembered: restore,
  });
  const isLoading = places.status === 'loading' || isRestoring;
  return (
    <Page subtitle={scheduleMessages.subtitle} back={{ to: '/logbook', label: 'Log Book' }}>
      <div className="mb-3.5 sm:max-w-80">
        <BuildingPicker block={!wide} label="Site" value={buildingId} onChange={restore} />
      </div>
      {buildingId !== undefined ? (
        <Site key={buildingId} buildingId={buildingId} />
      ) : isLoading ? (
        <Loading />
      ) : (
        <EmptyState icon={<CalendarClock size={20} />} title={scheduleMessages.chooseSite} />
      )}
    </Page>
  );
}

function Site({ buildingId }: { buildingId: string }) {
  const { data, status, error, refetch } = useLiveQuery(siteSchedule, { buildingId });
  const [changing, setChanging] = useState<KindSchedule>();
  if (status === 'error') {
    return isRefusedRead(error) ? (
      <ErrorState title={messages.common.notFound} />
    ) : (
      <ErrorState title={messageFor(error, scheduleMessages.loadFailed)} error={error} onRetry={refetch} />
    );
  }
  if (data === undefined) return <Loading />;
  return (
    <>
      <Kinds schedule={data} onChange={setChanging} />
      {changing !== undefined && (
        <ScheduleDialog schedule={data} of={changing} onClose={() => setChanging(undefined)} />
      )}
    </>
  );
}

function Loading() {
  return (
    <div className="grid gap-3.5 lg:grid-cols-2" aria-busy>
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} className="h-36" />
      ))}
    </div>
  );
}

type KindsProps = { schedule: SiteSchedule; onChange: (of: KindSchedule) => void };

function Kinds({ schedule, onChange }: KindsProps) {
  return (
    <ul className="grid gap-3.5 lg:grid-cols-2" aria-label={schedule.buildingName}>
      {schedule.kinds.map((of) => (
        <li key={of.kind} data-kind={of.kind}>
          <ScheduleCard of={of} today={schedule.today} onChange={() => onChange(of)} />
        </li>
      ))}
    </ul>
  );
}
