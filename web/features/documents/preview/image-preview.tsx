import { ZoomIn, ZoomOut } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { cx } from '../../../ui/cx.ts';
import { SCROLLED_BY_KEYS } from './scrolled-by-keys.ts';
import { ZOOM_START, zoomed } from './zoom.ts';

type Size = { width: number; height: number };
type Props = { src: string; name: string; onFail: () => void; onLoad: () => void };

/**
 * A picture. At 100 % it fits its frame, but is never enlarged. If it is zoomed beyond the frame, dragging moves it, and
 * so do the arrow keys while the frame has the focus.
 */
export default function ImagePreview({ src, name, onFail, onLoad }: Props) {
  const [zoom, setZoom] = useState(ZOOM_START);
  const [natural, setNatural] = useState<Size>();
  const frame = useRef<HTMLDivElement>(null);
  const space = useSizeOf(frame);
  const shown = natural && space && sizeAt(zoom, natural, space);
  const canPan =
    shown !== undefined && space !== undefined && (shown.width > space.width || shown.height > space.height);
  const pan = usePan(frame, canPan);

  return (
    <div className="grid gap-2">
      <div className="flex items-center justify-center gap-1">
        <ZoomButton zoom={zoom} direction={-1} onZoom={setZoom} />
        <output className="w-14 text-center text-ink-2 text-sm tabular-nums">{zoom}%</output>
        <ZoomButton zoom={zoom} direction={1} onZoom={setZoom} />
      </div>
      <div
        ref={frame}
        {...pan.handlers}
        {...(canPan && SCROLLED_BY_KEYS)}
        className={cx(
          'grid h-[55dvh] overflow-auto overscroll-contain rounded-control bg-mute',
          canPan && (pan.active ? 'cursor-grabbing' : 'cursor-grab'),
        )}
      >
        <img
          src={src}
          alt={name}
          draggable={false}
          onError={onFail}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
            setNatural({ width, height });
            onLoad();
          }}
          className={cx('m-auto max-w-none select-none', shown === undefined && 'invisible')}
          style={shown}
        />
      </div>
    </div>
  );
}

type ZoomButtonProps = { zoom: number; direction: 1 | -1; onZoom: (zoom: number) => void };

function ZoomButton({ zoom, direction, onZoom }: ZoomButtonProps) {
  const next = zoomed(zoom, direction);
  const Icon = direction === 1 ? ZoomIn : ZoomOut;
  return (
    <IconButton
      label={direction === 1 ? 'Zoom in' : 'Zoom out'}
      data-many-taps
      disabled={next === zoom}
      onClick={() => onZoom(next)}
    >
      <Icon size={18} aria-hidden />
    </IconButton>
  );
}

function sizeAt(zoom: number, { width, height }: Size, space: Size): Size {
  const fit = Math.min(1, space.width / Math.max(1, width), space.height / Math.max(1, height));
  const scale = (fit * zoom) / 100;
  return { width: width * scale, height: height * scale };
}

/** Returns the size of an element, without scrollbars; the size changes when a phone is turned. */
function useSizeOf(element: React.RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const observer = new ResizeObserver(() =>
      setSize({ width: current.offsetWidth, height: current.offsetHeight }),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Scrolls an element by dragging with a mouse or pen; touch scrolls without this. */
function usePan(frame: React.RefObject<HTMLElement | null>, enabled: boolean) {
  const from = useRef<{ x: number; y: number }>(undefined);
  const [active, setActive] = useState(false);
  const end = () => {
    from.current = undefined;
    setActive(false);
  };
  return {
    active,
    handlers: {
      onPointerDown(event: PointerEvent) {
        if (!enabled || event.pointerType === 'touch' || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, y: event.clientY };
        setActive(true);
      },
      onPointerMove(event: PointerEvent) {
        if (from.current === undefined) return;
        frame.current?.scrollBy(from.current.x - event.clientX, from.current.y - event.clientY);
        from.current = { x: event.clientX, y: event.clientY };
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}
