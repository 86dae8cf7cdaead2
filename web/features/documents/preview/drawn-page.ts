import { OPS, type PDFPageProxy } from 'pdfjs-dist';
import { MOST_SIDE } from './pdfjs.ts';

/** How much of a page is seen. `blank`: nothing, and no failure is known. `failed`: nothing, because of a failure. */
export type Drawn = 'whole' | 'incomplete' | 'blank' | 'failed';

/** Rows of pixels that are read at a time: most pages show something near their top. */
const BAND = 64;
/** The names that pdf.js gives to pictures among the objects of a page or document. */
const PICTURE = /(^|_)img_p\d/;

export function viewportFor(page: PDFPageProxy, cssWidth: number) {
  const { width, height } = page.getViewport({ scale: 1 });
  const wished = (Math.max(1, cssWidth) * Math.min(2, devicePixelRatio)) / width;
  return page.getViewport({ scale: Math.min(wished, MOST_SIDE / width, MOST_SIDE / height) });
}

/**
 * Tells how much is seen of a page that was drawn without an error. pdf.js leaves out what it cannot decode, and says so
 * in the console only.
 */
export async function judgeDrawn(page: PDFPageProxy, canvas: HTMLCanvasElement): Promise<Drawn> {
  const lacksPicture = await hasLostPicture(page);
  if (isOneColour(canvas)) return lacksPicture ? 'failed' : 'blank';
  return lacksPicture ? 'incomplete' : 'whole';
}

/** Whether a picture of the page could not be decoded: it is null among the objects. */
async function hasLostPicture(page: PDFPageProxy): Promise<boolean> {
  if (lostIn(page.objs).size > 0) return true;
  const shared = lostIn(page.commonObjs);
  if (shared.size === 0) return false;
  // The objects that all pages share do not tell which page shows them.
  const { fnArray, argsArray } = await page.getOperatorList();
  return fnArray.some((operator, at) => operator === OPS.paintImageXObject && shared.has(argsArray[at]?.[0]));
}

function lostIn(objects: PDFPageProxy['objs']): Set<unknown> {
  const lost = [...objects].filter(([name, content]) => content === null && PICTURE.test(name));
  return new Set(lost.map(([name]) => name));
}

function isOneColour(canvas: HTMLCanvasElement): boolean {
  const { width, height } = canvas;
  const context = canvas.getContext('2d');
  if (context === null) return false;
  let first: number | undefined;
  for (let top = 0; top < height; top += BAND) {
    const { data } = context.getImageData(0, top, width, Math.min(BAND, height - top));
    const pixels = new Uint32Array(data.buffer);
    first ??= pixels[0];
    if (pixels.some((pixel) => pixel !== first)) return false;
  }
  return true;
}
