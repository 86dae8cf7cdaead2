import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import type { BuildingOption } from '#shared/features/locations/locations.ts';
import { useMedia } from '../../ui/use-media.ts';

/** Scrolling, virtualised box for thousands of buildings. */
export function AccessWindow({
  places,
  children,
}: {
  places: readonly BuildingOption[];
  children: (place: BuildingOption) => ReactNode;
}) {
  const across = useMedia('(min-width: 640px)') ? 2 : 1;
  const line = useMedia('(pointer: coarse)') ? 54 : 36;
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: Math.ceil(places.length / across),
    getScrollElement: () => box.current,
    estimateSize: () => line,
    overscan: 6,
  });
  return (
    <div
      ref={box}
      className="max-h-72 overflow-y-auto overscroll-contain rounded-control border border-line p-2"
    >
      <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((row) => (
          <div
            key={row.key}
            className="absolute inset-x-0 top-0 grid items-center gap-1.5"
            style={{
              height: line,
              transform: `translateY(${row.start}px)`,
              gridTemplateColumns: `repeat(${across}, minmax(0, 1fr))`,
            }}
          >
            {places.slice(row.index * across, (row.index + 1) * across).map((place) => (
              <div key={place.id} className="min-w-0">
                {children(place)}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
