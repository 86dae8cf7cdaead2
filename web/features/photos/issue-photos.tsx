import { RotateCw, X } from 'lucide-react';
import type { Photo } from '#shared/features/photos.ts';
import { photoMessages } from '#shared/features/photos-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { usePermissions } from '../../lib/can.tsx';
import { messageFor } from '../../lib/message-for.ts';
import { api } from '../../lib/trpc.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../session/session-context.ts';
import { PhotoInputs } from './photo-inputs.tsx';
import { PhotoStrip } from './photo-strip.tsx';
import { type PhotoUpload, usePhotoUploads } from './use-photo-uploads.ts';

type Props = {
  issue: { id: string; referenceNumber: string; reportedBy: string | null };
};

/** An issue's photos, and the way to add some for those who edit issues or reported this one (ruling R9). */
export function IssuePhotos({ issue }: Props) {
  const me = useMe();
  const { can } = usePermissions();
  const { uploads, wrong, add, retry, discard } = usePhotoUploads(me.id, { issueId: issue.id });
  const mayAdd = can('edit_building_issues') || issue.reportedBy === me.id;
  const mayRemove = (photo: Photo) => photo.uploadedBy === me.id || can('manage_building_issues');

  async function remove(id: string) {
    try {
      await api.photos.remove.mutate({ operationId: uuidv7(), id });
    } catch (error) {
      const text = messageFor(error, photoMessages.removeFailed);
      toast({ title: messages.common.error, text, tone: 'destructive' });
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
      {uploads.length > 0 && (
        <ul className="grid gap-2">
          {uploads.map((upload) => (
            <Upload key={upload.id} upload={upload} onRetry={retry} onDiscard={discard} />
          ))}
        </ul>
      )}
      {wrong !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {wrong}
        </p>
      )}
      {mayAdd && (
        <div className="grid gap-1.5 print:hidden">
          <PhotoInputs of={issue.referenceNumber} onFiles={(files) => void add(files)} />
          <p className="text-ink-2 text-sm">{photoMessages.stripped}</p>
        </div>
      )}
    </section>
  );
}

function Upload(props: {
  upload: PhotoUpload;
  onRetry: (upload: PhotoUpload) => void;
  onDiscard: (id: string) => void;
}) {
  const { upload, onRetry, onDiscard } = props;
  const { about, percent, wrong } = upload;
  return (
    <li className="flex items-center gap-3">
      <img
        src={`data:image/jpeg;base64,${about.thumbnail ?? ''}`}
        alt=""
        className="size-12 rounded-control object-cover"
      />
      {wrong === undefined ? (
        <p role="status" className="text-ink-2 text-sm tabular-nums">
          {photoMessages.sending(percent)}
        </p>
      ) : (
        <>
          <p role="alert" className="min-w-0 flex-1 text-bad text-sm">
            {wrong}
          </p>
          <IconButton label={messages.common.tryAgain} onClick={() => onRetry(upload)}>
            <RotateCw size={17} aria-hidden />
          </IconButton>
          <IconButton label={photoMessages.removeTitle} onClick={() => onDiscard(upload.id)}>
            <X size={17} aria-hidden />
          </IconButton>
        </>
      )}
    </li>
  );
}
