import { ExternalLink } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { previewMessages } from '#shared/features/documents/preview-messages.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { buttonStyle } from '../../../ui/buttons/button-style.ts';
import { Spinner } from '../../../ui/feedback/spinner.tsx';
import { toastError } from '../../../ui/feedback/toast.ts';
import type { PreviewKind } from './preview-kind.ts';
import { type FileLink, type FileOf, type RequestLink, useFileLink } from './use-file-link.ts';

const ImagePreview = lazy(() => import('./image-preview.tsx'));
const TextPreview = lazy(() => import('./text-preview.tsx'));
const PdfPages = lazy(() => import('./pdf-pages.tsx'));

type Props = {
  requestLink: RequestLink;
  file: FileOf;
  kind: PreviewKind;
  name: string;
  bytes: number;
  onDownload: () => void;
  /** Called once it is known whether the server has lost the file. */
  onAnswered: (isLost: boolean) => void;
};

/** The content of one version of a file, in the view for its type. */
export function FileView({ requestLink, file, kind, name, bytes, onDownload, onAnswered }: Props) {
  const [turn, setTurn] = useState(0);
  const link = useFileLink(requestLink, file, turn);
  const [broken, setBroken] = useState(false);
  const fail = useCallback(() => {
    toastError(failureOf(kind));
    setBroken(true);
  }, [kind]);
  const onLoad = useCallback(() => undefined, []);
  const isLost = link.state === 'refused' ? link.isLost : link.state === 'ready' ? false : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once for each answer
  useEffect(() => {
    if (isLost !== undefined) onAnswered(isLost);
  }, [isLost]);

  if (link.state === 'loading') return <Loading />;
  if (link.state !== 'ready' || broken) {
    const sentence = broken
      ? failureOf(kind)
      : link.state === 'unreachable'
        ? previewMessages.needsConnection
        : documentMessages.inaccessible;
    return (
      <Unavailable text={sentence}>
        <Button variant="primary" onClick={onDownload}>
          {documentMessages.tryDownload}
        </Button>
        <TabLink url={link.url}>{documentMessages.openInNewTab}</TabLink>
        {link.state === 'unreachable' && (
          <Button
            onClick={() => {
              setBroken(false);
              setTurn(turn + 1);
            }}
          >
            Try again
          </Button>
        )}
      </Unavailable>
    );
  }
  return (
    <Suspense fallback={<Loading />}>
      <Content {...{ link, kind, name, bytes, onDownload, onLoad }} onFail={fail} />
    </Suspense>
  );
}

type ContentProps = Pick<Props, 'kind' | 'name' | 'bytes' | 'onDownload'> & {
  link: Extract<FileLink, { state: 'ready' }>;
  onFail: () => void;
  onLoad: () => void;
};

function Content({ link: { content, url }, kind, name, bytes, onDownload, onFail, onLoad }: ContentProps) {
  switch (kind) {
    case 'image':
      return <ImagePreview src={content} name={name} onFail={onFail} onLoad={onLoad} />;
    case 'text':
      return <TextPreview url={content} bytes={bytes} onFail={onFail} />;
    case 'pdf':
      return (
        <div className="grid gap-2">
          {hasPdfViewer() ? (
            <iframe src={content} title={name} className="h-[60dvh] w-full rounded-control bg-mute" />
          ) : (
            <PdfPages url={content} name={name} onDownload={onDownload} onFail={onFail} onLoad={onLoad} />
          )}
          <div>
            <TabLink url={url}>{documentMessages.openInNewTab}</TabLink>
          </div>
        </div>
      );
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: people's own recordings have none
      return <audio controls src={content} aria-label={name} className="my-8 w-full" onError={onFail} />;
    case 'video':
      return (
        // biome-ignore lint/a11y/useMediaCaption: people's own recordings have none
        <video
          controls
          src={content}
          aria-label={name}
          className="max-h-[60dvh] w-full bg-mute"
          onError={onFail}
        />
      );
    case 'other':
      return (
        <Unavailable text={documentMessages.previewUnavailable}>
          <Button variant="primary" onClick={onDownload}>
            {documentMessages.downloadFile}
          </Button>
          <TabLink url={url}>{documentMessages.openInBrowser}</TabLink>
        </Unavailable>
      );
  }
}

function failureOf(kind: PreviewKind): string {
  if (kind === 'image') return documentMessages.imageFailed;
  return kind === 'pdf' ? documentMessages.pdfFailed : documentMessages.previewFailed;
}

/** The property is absent in older browsers, which all had a PDF viewer on computers. */
const hasPdfViewer = () => navigator.pdfViewerEnabled !== false;

function Loading() {
  return (
    <p role="status" className="flex h-[55dvh] items-center justify-center gap-2 text-ink-2">
      <Spinner /> {documentMessages.loadingPreview}
    </p>
  );
}

function Unavailable({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="grid min-h-[30dvh] content-center justify-items-center gap-4 rounded-control bg-mute px-4 py-8 text-center">
      <p className="max-w-prose text-ink-2">{text}</p>
      <div className="flex flex-wrap justify-center gap-2">{children}</div>
    </div>
  );
}

function TabLink({ url, children }: { url: string | undefined; children: string }) {
  if (url === undefined) return null;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={buttonStyle()}>
      <ExternalLink size={16} aria-hidden />
      {children}
    </a>
  );
}
