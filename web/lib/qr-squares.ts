import { create } from 'qrcode';

/**
 * The squares of a QR code as one SVG path, sharp at any size.
 * @param text the encoded text
 * @returns `size`: squares on each side, without a margin
 */
export function qrSquares(text: string): { size: number; path: string } {
  // Level Q stays readable with a quarter of the code damaged.
  const { modules } = create(text, { errorCorrectionLevel: 'Q' });
  const { size } = modules;
  let path = '';
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (modules.get(y, x)) path += `M${x} ${y}h1v1h-1z`;
    }
  }
  return { size, path };
}
