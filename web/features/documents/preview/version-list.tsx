import { Download } from 'lucide-react';
import { useState } from 'react';
import type { DocumentDetails, DocumentVersion } from '#shared/features/documents/documents.ts';
import { previewMessages } from '#shared/features/documents/preview-messages.ts';
import { formatFileSize } from '#shared/text/file-size.ts';
import { tell } from '../../../forms/toasts.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { RelativeTime } from '../../../ui/feedback/relative-time.tsx';

type Props = {
  details: DocumentDetails;
  /** The version that is shown. */
  shown: DocumentVersion | undefined;
  onShow: (version: DocumentVersion) => void;
  onDownload: (version: DocumentVersion) => void;
  /** Makes an older version current; undefined if the person may not do this. */
  makeCurrent: ((version: DocumentVersion) => Promise<unknown>) | undefined;
};

/** The versions of a document, newest first; an older version can be shown, downloaded and made current again. */
export function VersionList(props: Props) {
  const { shown, onShow, onDownload } = props;
  const { document, versions } = props.details;
  const [pending, setPending] = useState(false);

  async function makeCurrent(version: DocumentVersion, send: NonNullable<Props['makeCurrent']>) {
    setPending(true);
    await tell(send(version), {
      about: document.fileName,
      success: previewMessages.madeCurrent(version.number),
      failure: previewMessages.makeCurrentFailed,
    });
    setPending(false);
  }

  return (
    <section aria-label={previewMessages.versions}>
      <h3 className="mb-1 font-semibold text-ink">{previewMessages.versions}</h3>
      <ul className="divide-y divide-line rounded-control border border-line">
        {versions.map((version) => {
          const isCurrent = version.number === document.currentVersion;
          return (
            <li
              key={version.id}
              className={cx(
                'flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5',
                shown?.id === version.id && 'bg-mute',
              )}
            >
              <div className="min-w-0 flex-1">
                <p className="flex items-center gap-2 text-ink">
                  {previewMessages.version(version.number)}
                  {isCurrent && <Badge tone="ok">{previewMessages.current}</Badge>}
                </p>
                <p className="text-ink-2 text-sm">
                  {formatFileSize(version.fileSize)} · {version.uploadedByName} ·{' '}
                  <RelativeTime at={version.uploadedAt} />
                </p>
              </div>
              {shown?.id !== version.id && (
                <Button size="sm" onClick={() => onShow(version)}>
                  {previewMessages.show}
                </Button>
              )}
              {props.makeCurrent !== undefined && !isCurrent && (
                <Button
                  size="sm"
                  disabled={pending}
                  onClick={() => props.makeCurrent && void makeCurrent(version, props.makeCurrent)}
                >
                  {previewMessages.makeCurrent}
                </Button>
              )}
              <IconButton
                label={previewMessages.downloadVersion(version.number)}
                onClick={() => onDownload(version)}
              >
                <Download size={16} aria-hidden />
              </IconButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
