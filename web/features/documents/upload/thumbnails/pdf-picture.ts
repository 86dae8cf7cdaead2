import { withTimeout } from '../../../../lib/time/with-timeout.ts';
import { judgeDrawn } from '../../preview/drawn-page.ts';
import { loadPdf } from '../../preview/pdfjs.ts';

/** Larger files are not read into memory for a small picture. */
const MOST_FILE_BYTES = 30 * 1024 * 1024;
/** The longer side of the drawn page, px: twice a thumbnail's, so that scaling it down smooths it. */
const SIDE = 640;
/** How long an upload waits for its picture at most. */
const PATIENCE_MS = 5_000;

/** The first page of a PDF as a picture; undefined if nothing of it is seen. @throws for a PDF that cannot be drawn */
export async function firstPageOf(file: File): Promise<Blob | undefined> {
  if (file.size > MOST_FILE_BYTES) return undefined;
  const loading = loadPdf({ data: new Uint8Array(await file.arrayBuffer()) });
  // Only the preview asks for a password.
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
