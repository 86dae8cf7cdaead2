import type { Photo } from '#shared/features/photos/photos.ts';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { toastFailure } from '../../forms/toasts.ts';
import { usePermissions } from '../../lib/can.tsx';
import { api } from '../../lib/trpc/trpc.ts';
import { useMe } from '../session/session-context.ts';
import { AddPhotos } from './add-photos.tsx';
import { PhotoStrip } from './photo-strip.tsx';
import { WaitingPhotos } from './waiting-photos.tsx';

type Props = {
  issue: { id: string; referenceNumber: string; reportedBy: string | null };
};

/** Photos of an issue. People who may edit issues, and the person who reported this one, can add photos (ruling R9). */
export function IssuePhotos({ issue }: Props) {
  const me = useMe();
  const { can } = usePermissions();
  const mayAdd = can('edit_building_issues') || issue.reportedBy === me.id;
  const mayRemove = (photo: Photo) => photo.uploadedBy === me.id || can('manage_building_issues');

  async function remove(id: string) {
    try {
      await api.photos.remove.mutate({ operationId: uuidv7(), id });
    } catch (error) {
      toastFailure(error, photoMessages.removeFailed);
    }
  }

  return (
    <section aria-labelledby="issue-photos" className="grid min-w-0 gap-3 md:col-start-1">
      <h3 id="issue-photos" className="font-semibold text-base text-ink">
        Photos
      </h3>
      <PhotoStrip
        place={{ on: 'issue', onId: issue.id }}
        of={issue.referenceNumber}
        mayRemove={mayRemove}
        onRemove={(id) => void remove(id)}
      />
      <WaitingPhotos of={{ issueId: issue.id }} />
      {mayAdd && <AddPhotos of={{ issueId: issue.id }} name={issue.referenceNumber} />}
    </section>
  );
}
