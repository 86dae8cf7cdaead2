import { Download } from 'lucide-react';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { previewMessages } from '#shared/features/documents/preview-messages.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { type Drawn, judgeDrawn, viewportFor } from './drawn-page.ts';

/** The ratio of an A4 page, used until the page's own size is known. */
const A4 = Math.SQRT2;

type Props = { pdf: PDFDocumentProxy; number: number; onDownload: () => void };

/** One page. It is drawn while it is near the visible area; otherwise its memory is freed. */
export function PdfPage({ pdf, number, onDownload }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [ratio, setRatio] = useState(A4);
  const [near, setNear] = useState(false);
  const [drawn, setDrawn] = useState<Drawn>('whole');

  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      root: current.parentElement,
      rootMargin: '600px',
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const { current } = canvas;
    if (!near || current === null) return;
    let stop = () => {};
    let wanted = true;
    async function draw(target: HTMLCanvasElement): Promise<Drawn> {
      const page = await pdf.getPage(number);
      if (!wanted) return 'whole';
      const viewport = viewportFor(page, target.clientWidth);
      setRatio(viewport.height / viewport.width);
      target.width = viewport.width;
      target.height = viewport.height;
      const task = page.render({ canvas: target, viewport });
      stop = () => {
        task.cancel();
        // Frees the decoded pictures, which are many times the size of the file.
        page.cleanup();
      };
      await task.promise;
      return judgeDrawn(page, target);
    }
    const show = (found: Drawn) => {
      if (wanted) setDrawn(found);
    };
    draw(current).then(show, () => show('failed'));
    return () => {
      wanted = false;
      stop();
      current.width = 0;
    };
  }, [pdf, number, near]);

  const isSeen = drawn === 'whole' || drawn === 'incomplete';
  return (
    <div ref={place} className="grid gap-2">
      {drawn === 'incomplete' && <Notice text={SENTENCES[drawn](number)} onDownload={onDownload} />}
      <div className="relative grid bg-white" style={{ aspectRatio: `1 / ${ratio}` }}>
        <canvas
          ref={canvas}
          className="absolute inset-0 h-full w-full"
          aria-label={previewMessages.page(number, pdf.numPages)}
        />
        {!isSeen && <Notice text={SENTENCES[drawn](number)} onDownload={onDownload} />}
      </div>
    </div>
  );
}

const SENTENCES = {
  incomplete: previewMessages.pageIncomplete,
  blank: previewMessages.pageBlank,
  failed: previewMessages.pageFailed,
};

type NoticeProps = { text: string; onDownload: () => void };

/** Notice that a page or a part of it is not visible. Inside the page's frame, the notice covers the drawing. */
function Notice({ text, onDownload }: NoticeProps) {
  return (
    <div
      role="status"
      className="relative grid content-center justify-items-center gap-3 bg-surface p-4 text-center"
    >
      <p className="max-w-prose text-ink-2">{text}</p>
      <Button onClick={onDownload}>
        <Download size={16} aria-hidden />
        Download
      </Button>
    </div>
  );
}
