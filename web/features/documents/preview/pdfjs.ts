import { GlobalWorkerOptions, getDocument, type PDFDocumentLoadingTask, version } from 'pdfjs-dist';

/** What pdf.js loads by itself; `web/build/pdfjs.ts` puts it there. */
const PARTS = `/assets/pdfjs-${version}/`;

/** The longest side of a drawn page, in pixels: phones have no more memory for a canvas. */
export const MOST_SIDE = 3_000;

// Compiled code runs in this worker only, whose own policy allows it; the policy of the page does not.
GlobalWorkerOptions.workerSrc = `${PARTS}pdf.worker.min.js`;

/** Loads a PDF. Scripts and forms in it are not run, and nothing in it is evaluated. */
export function loadPdf(from: { url: string } | { data: Uint8Array }): PDFDocumentLoadingTask {
  return getDocument({
    ...from,
    isEvalSupported: false,
    enableXfa: false,
    // A larger picture is made smaller while it is decoded, because a page is never drawn larger.
    canvasMaxAreaInBytes: 4 * MOST_SIDE ** 2,
    wasmUrl: `${PARTS}wasm/`,
    cMapUrl: `${PARTS}cmaps/`,
    standardFontDataUrl: `${PARTS}standard_fonts/`,
    iccUrl: `${PARTS}iccs/`,
  });
}
