import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { useForgetReport } from '../../../features/issues/report/report-draft.ts';
import { BuildingPicker } from '../../../features/locations/pickers/building-picker.tsx';
import { myBuildings } from '../../../features/locations/pickers/my-buildings.live.ts';
import { NoBuildings } from '../../../features/locations/pickers/no-buildings.tsx';
import { rememberBuilding } from '../../../features/locations/pickers/recent-buildings.ts';
import { RecentBuildings } from '../../../features/locations/pickers/recent-choice.tsx';
import { useMe } from '../../../features/session/session-context.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';

const IssueForm = lazy(async () => ({
  default: (await import('../../../features/issues/report/report-issue.tsx')).IssueForm,
}));

/** Dialog 'Report Building Issue': the building, then the form. Both steps are in the URL, so Back works. */
export function ReportIssueDialog({ onClose }: { onClose: () => void }) {
  const forget = useForgetReport();
  const { id: me } = useMe();
  const [params, setParams] = useSearchParams();
  const { data, status } = useLiveQuery(myBuildings, undefined);
  const asked = params.get('report');
  const chosen = data?.find((place) => place.id === asked)?.id;
  const [dirty, setDirty] = useState(false);

  function choose(id: string) {
    rememberBuilding(me, id);
    setParams({ report: id }, { replace: true });
  }
  function close() {
    // The dialog has asked for confirmation, so the draft can be discarded.
    if (dirty && chosen !== undefined) forget(chosen);
    onClose();
  }

  return (
    <Dialog open onClose={close} title="Report Building Issue">
      {status === 'ready' && data?.length === 0 ? (
        <NoBuildings />
      ) : (
        <div className="grid min-h-40 content-start gap-4">
          <BuildingPicker block value={chosen} onChange={choose} placeholder={messages.locations.choose} />
          {chosen === undefined ? (
            <RecentBuildings places={data} onChoose={choose} />
          ) : (
            <Suspense fallback={<Skeleton className="h-64" />}>
              <IssueForm key={chosen} buildingId={chosen} onDone={onClose} onDirty={setDirty} />
            </Suspense>
          )}
        </div>
      )}
    </Dialog>
  );
}
