import { GlobalWorkerOptions, getDocument, type PDFDocumentLoadingTask, version } from 'pdfjs-dist';

/** The URL path of the files that pdf.js itself loads; `web/build/pdfjs.ts` puts them there. */
const PARTS = `/assets/pdfjs-${version}/`;

/** Maximum length of the longer side of a drawn page, in pixels: phones have no memory for a larger canvas. */
export const MOST_SIDE = 3_000;

// WebAssembly runs in this worker only: the worker's content security policy allows it, the page's does not.
GlobalWorkerOptions.workerSrc = `${PARTS}pdf.worker.min.js`;

/** Loads a PDF. Scripts and forms in it are not run, and nothing in it is evaluated. */
export function loadPdf(from: { url: string } | { data: Uint8Array }): PDFDocumentLoadingTask {
  return getDocument({
    ...from,
    isEvalSupported: false,
    enableXfa: false,
    // Larger pictures are scaled down while they are decoded, because no page is drawn larger.
    canvasMaxAreaInBytes: 4 * MOST_SIDE ** 2,
    wasmUrl: `${PARTS}wasm/`,
    cMapUrl: `${PARTS}cmaps/`,
    standardFontDataUrl: `${PARTS}standard_fonts/`,
    iccUrl: `${PARTS}iccs/`,
  });
}
