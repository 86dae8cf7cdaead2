import { lazy, Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { messages } from '#shared/messages.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { BuildingPicker } from '../../locations/pickers/building-picker.tsx';
import { myBuildings } from '../../locations/pickers/my-buildings.live.ts';
import { NoBuildings } from '../../locations/pickers/no-buildings.tsx';
import { useForgetReport } from './report-draft.ts';

const IssueForm = lazy(async () => ({ default: (await import('./report-issue.tsx')).IssueForm }));
const ReportEdit = lazy(async () => ({ default: (await import('./report-edit.tsx')).ReportEdit }));

type Props = {
  /** Undefined until a building is selected. */
  buildingId: string | undefined;
  onChoose: (buildingId: string) => void;
  onClose: () => void;
};

/** "Report New Issue - {building}". Opened from all sites, it first asks for the building. */
export default function ReportDialog({ buildingId, onChoose, onClose }: Props) {
  const forget = useForgetReport();
  const { data, status } = useLiveQuery(myBuildings, undefined);
  // Id of a refused report that is to be corrected.
  const edited = useSearchParams()[0].get('edit');
  const [dirty, setDirty] = useState(false);
  const building = data?.find((place) => place.id === buildingId);
  // With a single building, it is selected without asking; the list may load after the dialog has opened.
  const only = buildingId === undefined && data?.length === 1 ? data[0]?.id : undefined;
  useEffect(() => {
    if (only !== undefined) onChoose(only);
  }, [only, onChoose]);
  if (data !== undefined && buildingId !== undefined && building === undefined) {
    return (
      <Dialog open onClose={onClose} title="Report New Issue">
        {data.length === 0 ? <NoBuildings /> : <p className="text-ink-2">{messages.locations.noBuildings}</p>}
      </Dialog>
    );
  }

  function close() {
    // The dialog has asked for confirmation, so the draft can be discarded.
    if (dirty && buildingId !== undefined) forget(buildingId);
    onClose();
  }

  return (
    <Dialog
      open
      onClose={close}
      title={building === undefined ? 'Report New Issue' : `Report New Issue - ${building.name}`}
    >
      {buildingId === undefined && (only !== undefined || status === 'loading') ? (
        <Skeleton className="h-80" />
      ) : buildingId === undefined ? (
        <div className="min-h-40">
          <BuildingPicker
            block
            value={undefined}
            onChange={onChoose}
            placeholder={messages.locations.choose}
          />
        </div>
      ) : (
        <Suspense fallback={<Skeleton className="h-80" />}>
          {edited !== null ? (
            <ReportEdit key={edited} id={edited} buildingId={buildingId} onDone={onClose} />
          ) : (
            <IssueForm
              key={buildingId}
              buildingId={buildingId}
              from="issues"
              onDone={onClose}
              onDirty={setDirty}
            />
          )}
        </Suspense>
      )}
    </Dialog>
  );
}
