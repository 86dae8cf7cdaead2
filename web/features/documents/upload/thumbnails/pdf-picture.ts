import { withTimeout } from '../../../../lib/time/with-timeout.ts';
import { judgeDrawn } from '../../preview/drawn-page.ts';
import { loadPdf } from '../../preview/pdfjs.ts';

/** Maximum size of a file that is read into memory to make a thumbnail. */
const MOST_FILE_BYTES = 30 * 1024 * 1024;
/** The longer side of the drawn page, px: twice that of a thumbnail, so that scaling down smooths the picture. */
const SIDE = 640;
/** Maximum time that an upload waits for its thumbnail. */
const PATIENCE_MS = 5_000;

/**
 * Returns the first page of a PDF as a picture; undefined if the file is too large or nothing of the page is visible.
 * @throws for a PDF that cannot be drawn
 */
export async function firstPageOf(file: File): Promise<Blob | undefined> {
  if (file.size > MOST_FILE_BYTES) return undefined;
  const loading = loadPdf({ data: new Uint8Array(await file.arrayBuffer()) });
  // A PDF with a password gets no thumbnail: only the preview asks for passwords.
  loading.onPassword = () => void loading.destroy();
  try {
    return await withTimeout(PATIENCE_MS, async () => {
      const pdf = await loading.promise;
      const page = await pdf.getPage(1);
      const { width, height } = page.getViewport({ scale: 1 });
      const viewport = page.getViewport({ scale: SIDE / Math.max(width, height) });
      const canvas = document.createElement('canvas');
      canvas.width = Math.max(1, viewport.width);
      canvas.height = Math.max(1, viewport.height);
      await page.render({ canvas, viewport }).promise;
      const seen = await judgeDrawn(page, canvas);
      if (seen === 'blank' || seen === 'failed') return undefined;
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
      canvas.width = 0;
      return blob ?? undefined;
    });
  } finally {
    void loading.destroy();
  }
}
