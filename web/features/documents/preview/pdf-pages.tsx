import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState } from 'react';
import { previewMessages } from '#shared/features/preview-messages.ts';
import { SCROLLED_BY_KEYS } from './scrolled-by-keys.ts';

GlobalWorkerOptions.workerSrc = workerUrl;

/** The longest side of a drawn page, in pixels: phones have no more memory for a canvas. */
const MOST_SIDE = 3_000;
/** A page of A4, until its own size is known. */
const A4 = Math.SQRT2;

type Props = { url: string; name: string; onFail: () => void; onLoad: () => void };

/** The pages of a PDF, for browsers without a viewer of their own; scripts in it are not run. */
export default function PdfPages({ url, name, onFail, onLoad }: Props) {
  const [pdf, setPdf] = useState<PDFDocumentProxy>();
  useEffect(() => {
    // Neither evaluated nor compiled code: the page's policy forbids both.
    const loading = getDocument({ url, isEvalSupported: false, useWasm: false, enableXfa: false });
    let wanted = true;
    loading.promise.then(
      (loaded) => {
        if (!wanted) return;
        setPdf(loaded);
        onLoad();
      },
      () => {
        if (wanted) onFail();
      },
    );
    return () => {
      wanted = false;
      void loading.destroy();
    };
  }, [url, onFail, onLoad]);

  return (
    <div
      {...SCROLLED_BY_KEYS}
      role="document"
      aria-label={name}
      className="grid h-[60dvh] content-start gap-3 overflow-auto rounded-control bg-mute p-2"
    >
      {pdf !== undefined &&
        pageNumbers(pdf).map((number) => <PdfPage key={number} pdf={pdf} number={number} />)}
    </div>
  );
}

const pageNumbers = ({ numPages }: PDFDocumentProxy) => Array.from({ length: numPages }, (_, n) => n + 1);

/** One page, drawn while it is near the view and let go when it is not. */
function PdfPage({ pdf, number }: { pdf: PDFDocumentProxy; number: number }) {
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [ratio, setRatio] = useState(A4);
  const [near, setNear] = useState(false);

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
    async function draw(target: HTMLCanvasElement): Promise<void> {
      const page = await pdf.getPage(number);
      if (!wanted) return;
      const viewport = viewportFor(page, target.clientWidth);
      setRatio(viewport.height / viewport.width);
      target.width = viewport.width;
      target.height = viewport.height;
      const task = page.render({ canvas: target, viewport });
      stop = () => task.cancel();
      await task.promise;
    }
    // A page that cannot be drawn stays white; the others are shown.
    draw(current).catch(() => undefined);
    return () => {
      wanted = false;
      stop();
      current.width = 0;
    };
  }, [pdf, number, near]);

  return (
    <div ref={place} className="bg-white" style={{ aspectRatio: `1 / ${ratio}` }}>
      <canvas
        ref={canvas}
        className="h-full w-full"
        aria-label={previewMessages.page(number, pdf.numPages)}
      />
    </div>
  );
}

function viewportFor(page: PDFPageProxy, cssWidth: number) {
  const { width, height } = page.getViewport({ scale: 1 });
  const wished = (Math.max(1, cssWidth) * Math.min(2, devicePixelRatio)) / width;
  return page.getViewport({ scale: Math.min(wished, MOST_SIDE / width, MOST_SIDE / height) });
}
