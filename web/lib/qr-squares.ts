import encodeQR from 'qr';

/** The library draws a margin of at least one square, which is cut off, because the place of the code has a margin of its own. */
const BORDER = 1;

/**
 * The squares of a QR code as one SVG path, sharp at any size.
 * @param text the encoded text
 * @returns `size`: squares on each side, without a margin
 */
export function qrSquares(text: string): { size: number; path: string } {
  // "quartile" stays readable with a quarter of the code damaged.
  const rows = encodeQR(text, 'raw', { ecc: 'quartile', border: BORDER });
  const inside = rows.slice(BORDER, -BORDER).map((row) => row.slice(BORDER, -BORDER));
  const path = inside
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return { size: inside.length, path };
}
