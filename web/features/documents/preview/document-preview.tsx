import { ChevronLeft, ChevronRight, Download } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { formatDay, formatRelative } from '#shared/dates.ts';
import type { Document } from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { previewMessages } from '#shared/features/documents/preview-messages.ts';
import { formatFileSize } from '#shared/text/file-size.ts';
import { useNow } from '../../../lib/time/use-now.ts';
import { wireErrorOf } from '../../../lib/trpc/wire-error.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { RelativeTime } from '../../../ui/feedback/relative-time.tsx';
import { oneDocument } from '../data/documents.live.ts';
import { noteFile } from '../data/lost-files.ts';
import { DocumentPresence } from './document-presence.tsx';
import { downloadDocument } from './download-document.ts';
import { FileView } from './file-view.tsx';
import { previewKind } from './preview-kind.ts';
import type { RequestLink } from './use-file-link.ts';
import { VersionList } from './version-list.tsx';

type Props = {
  document: Document;
  requestLink: RequestLink;
  /** Makes an older version of a document current; undefined if the person may not do this. */
  makeCurrent?: ((id: string, versionId: string) => Promise<unknown>) | undefined;
  /** The name of the document's discipline. */
  discipline?: string | undefined;
  /** Today's date for the organisation, by which expiry is judged. */
  today?: string | undefined;
  onClose: () => void;
  /** `onPrevious` and `onNext` open the neighbours in the list; undefined at its ends. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
};

/** Dialog with a file and its versions. Shows changes by other people at once, and a notice when the file is deleted. */
export default function DocumentPreview(props: Props) {
  const { requestLink, makeCurrent, discipline, onClose, onPrevious, onNext } = props;
  const { data: details, error } = useLiveQuery(oneDocument, { id: props.document.id });
  const document = details?.document ?? props.document;
  /** The version shown instead of the current one. Valid only while document `of` is shown. */
  const [chosen, setChosen] = useState<{ of: string; versionId: string }>();
  const versions = details?.versions ?? [];
  const current = versions.find(({ number }) => number === document.currentVersion);
  const older = versions.find(
    ({ id }) => chosen?.of === document.id && id === chosen.versionId && id !== current?.id,
  );
  const shown = older ?? current;
  const isGone = document.deletedAt !== null || wireErrorOf(error)?.code === 'not_found';
  const fileType = shown?.fileType ?? document.fileType;
  const bytes = shown?.fileSize ?? document.fileSize ?? 0;
  const file = { id: document.id, versionId: older?.id };
  const download = () => void downloadDocument(requestLink, file);

  function onKeyDown(event: KeyboardEvent) {
    // Scrolling areas, players and fields handle the arrow keys themselves.
    if (event.target instanceof Element && event.target.closest('[data-pans],audio,video,input,select'))
      return;
    if (event.key === 'ArrowLeft') onPrevious?.();
    if (event.key === 'ArrowRight') onNext?.();
  }

  return (
    // The handler is outside the dialog, so that the keys work in the dialog's head, too.
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys work wherever the focus is in the dialog
    <div onKeyDown={onKeyDown} className="contents">
      <Dialog open onClose={onClose} size="lg" title={<bdi>{document.fileName}</bdi>}>
        <div className="grid gap-3">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-ink-2 text-sm">
            {discipline !== undefined && <Badge wraps>{discipline}</Badge>}
            <span>{formatFileSize(bytes, 'Bytes')}</span>
            <span>
              Uploaded <RelativeTime at={document.uploadedAt} />
            </span>
            {shown !== undefined && shown.number > 1 && (
              <span>
                {previewMessages.version(shown.number)} <RelativeTime at={shown.uploadedAt} />
              </span>
            )}
            <Expiry document={document} today={props.today} />
            <LastView viewed={details?.lastViewed} />
            <div className="ml-auto flex items-center gap-1">
              <DocumentPresence id={document.id} />
              {(onPrevious !== undefined || onNext !== undefined) && (
                <>
                  <IconButton
                    label={previewMessages.previous}
                    data-many-taps
                    disabled={onPrevious === undefined}
                    onClick={onPrevious}
                  >
                    <ChevronLeft size={18} aria-hidden />
                  </IconButton>
                  <IconButton
                    label={previewMessages.next}
                    data-many-taps
                    disabled={onNext === undefined}
                    onClick={onNext}
                  >
                    <ChevronRight size={18} aria-hidden />
                  </IconButton>
                </>
              )}
              {!isGone && (
                <Button onClick={download}>
                  <Download size={16} aria-hidden />
                  Download
                </Button>
              )}
            </div>
          </div>
          {isGone ? (
            <p
              role="alert"
              className="rounded-control bg-due-soft px-4 py-8 text-center font-medium text-due"
            >
              {document.deletedAt === null
                ? documentMessages.gone
                : previewMessages.deleted(document.deletedByName)}
            </p>
          ) : (
            <>
              {older !== undefined && document.currentVersion !== null && (
                <p role="status" className="rounded-control bg-due-soft px-3 py-2 text-due">
                  {previewMessages.olderShown(older.number, document.currentVersion)}
                </p>
              )}
              <FileView
                // Remounts for a new version, because its file is different.
                key={`${document.id} ${shown?.id ?? document.sha256}`}
                requestLink={requestLink}
                file={file}
                kind={previewKind(fileType, document.fileName)}
                name={document.fileName}
                bytes={bytes}
                onDownload={download}
                onAnswered={(isLost) => older === undefined && noteFile(document, isLost)}
              />
              {details !== undefined && versions.length > 1 && (
                <VersionList
                  details={details}
                  shown={shown}
                  onShow={({ id: versionId }) => setChosen({ of: document.id, versionId })}
                  onDownload={({ id: versionId }) =>
                    void downloadDocument(requestLink, { id: document.id, versionId })
                  }
                  makeCurrent={
                    makeCurrent && document.proof === null
                      ? ({ id: versionId }) => makeCurrent(document.id, versionId)
                      : undefined
                  }
                />
              )}
            </>
          )}
        </div>
      </Dialog>
    </div>
  );
}

function Expiry({ document: { expiresOn }, today }: { document: Document; today: string | undefined }) {
  if (expiresOn === null) return null;
  const isOver = today !== undefined && expiresOn < today;
  const day = formatDay(expiresOn);
  return (
    <Badge tone={isOver ? 'bad' : 'neutral'}>
      {isOver ? previewMessages.expired(day) : previewMessages.expires(day)}
    </Badge>
  );
}

/** The person who viewed the document last; lists do not show this. */
function LastView({ viewed }: { viewed: { at: string; byName: string } | null | undefined }) {
  const now = useNow();
  // Nobody viewed the document before this reader.
  if (viewed == null) return null;
  return <span>{previewMessages.viewed(formatRelative(viewed.at, now), viewed.byName)}</span>;
}
