import { useMemo } from 'react';
import { qrSquares } from '../lib/qr-squares.ts';

/**
 * QR code as a single SVG path, sharp at any size.
 * @param text the encoded text
 * @param label the name for screen readers; by default the text
 */
export function QrCode({ text, label = text }: { text: string; label?: string }) {
  const { size, path } = useMemo(() => qrSquares(text), [text]);
  return (
    <svg viewBox={`-2 -2 ${size + 4} ${size + 4}`} className="size-full" role="img" aria-label={label}>
      <rect x={-2} y={-2} width={size + 4} height={size + 4} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
