import { OPS, type PDFPageProxy } from 'pdfjs-dist';
import { MOST_SIDE } from './pdfjs.ts';

/** How much of a page is visible. `blank`: nothing, without a known failure. `failed`: nothing, because of a failure. */
export type Drawn = 'whole' | 'incomplete' | 'blank' | 'failed';

/** Number of pixel rows read at a time. Small, because most pages have content near their top. */
const BAND = 64;
/** The pattern of the names that pdf.js gives to pictures among the objects of a page or document. */
const PICTURE = /(^|_)img_p\d/;

export function viewportFor(page: PDFPageProxy, cssWidth: number) {
  const { width, height } = page.getViewport({ scale: 1 });
  const wished = (Math.max(1, cssWidth) * Math.min(2, devicePixelRatio)) / width;
  return page.getViewport({ scale: Math.min(wished, MOST_SIDE / width, MOST_SIDE / height) });
}

/**
 * Returns how much is visible of a page that was drawn without an error. pdf.js leaves out the parts that it cannot
 * decode, and reports them only in the console.
 */
export async function judgeDrawn(page: PDFPageProxy, canvas: HTMLCanvasElement): Promise<Drawn> {
  const lacksPicture = await hasLostPicture(page);
  if (isOneColour(canvas)) return lacksPicture ? 'failed' : 'blank';
  return lacksPicture ? 'incomplete' : 'whole';
}

/** Returns whether a picture of the page could not be decoded; such a picture is null among the objects. */
async function hasLostPicture(page: PDFPageProxy): Promise<boolean> {
  if (lostIn(page.objs).size > 0) return true;
  const shared = lostIn(page.commonObjs);
  if (shared.size === 0) return false;
  // The shared objects do not record which pages use them, so the page's own operators are searched.
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
