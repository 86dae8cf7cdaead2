import { useMemo } from 'react';
import { qrSquares } from '../../lib/qr-squares.ts';

/**
 * QR code as a single SVG path, sharp at any size.
 * @param text the encoded text
 */
export function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => qrSquares(text), [text]);
  return (
    <svg viewBox={`-2 -2 ${size + 4} ${size + 4}`} className="size-full" role="img" aria-label={text}>
      <rect x={-2} y={-2} width={size + 4} height={size + 4} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
