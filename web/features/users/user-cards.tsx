import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Person } from '#shared/features/users/users.ts';
import { useMedia } from '../../ui/use-media.ts';
import type { PersonAction } from './person-actions.ts';
import { UserCard } from './user-card.tsx';

type Props = {
  people: readonly Person[];
  setupCode: string | undefined;
  lastAdminId: string | undefined;
  onAsk: (action: PersonAction, person: Person) => void;
};

/** Virtualised list of people's cards. */
export function UserCards({ people, setupCode, lastAdminId, onAsk }: Props) {
  const across = useMedia('(min-width: 1280px)') ? 2 : 1;
  const root = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(root.current?.offsetTop ?? 0), []);
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(people.length / across),
    estimateSize: () => 290,
    getItemKey: (line) => people[line * across]?.id ?? line,
    scrollMargin: top,
    overscan: 3,
    gap: 12,
  });
  return (
    <div ref={root} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((line) => (
        <div
          key={line.key}
          ref={virtualizer.measureElement}
          data-index={line.index}
          className="absolute inset-x-0 top-0 grid items-start gap-3"
          style={{
            transform: `translateY(${line.start - top}px)`,
            gridTemplateColumns: `repeat(${across}, minmax(0, 1fr))`,
          }}
        >
          {people.slice(line.index * across, (line.index + 1) * across).map((person) => (
            <UserCard
              key={person.id}
              isLastAdmin={person.id === lastAdminId}
              {...{ person, setupCode, onAsk }}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
