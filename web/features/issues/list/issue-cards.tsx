import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Issue } from '#shared/features/issues/issues.ts';
import { type MoreRows, useLoadMore } from '../../../ui/lists/use-load-more.ts';
import { useMedia } from '../../../ui/use-media.ts';
import { IssueCard, type IssueCardProps } from '../issue-card.tsx';

type Shown = 'look' | 'showStatus' | 'showBuilding' | 'hrefOf' | 'onMove';
type Props = MoreRows &
  Pick<IssueCardProps, Shown> & {
    rows: readonly Issue[];
    onEdit: (issue: Issue) => void;
  };

/** Virtualised cards in as many columns as fit. */
export function IssueCards(props: Props) {
  const { rows, look, showStatus = false, showBuilding, hrefOf, onMove, onEdit } = props;
  const [two, three, four] = [
    useMedia('(min-width: 640px)'),
    useMedia('(min-width: 1024px)'),
    useMedia('(min-width: 1600px)'),
  ];
  const across = look === 'board' ? 1 : four ? 4 : three ? 3 : two ? 2 : 1;
  const root = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(root.current?.offsetTop ?? 0), []);
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(rows.length / across),
    estimateSize: () => (look === 'board' ? 120 : 176),
    getItemKey: (line) => rows[line * across]?.id ?? line,
    scrollMargin: top,
    overscan: 3,
    gap: 12,
  });
  const lines = virtualizer.getVirtualItems();
  const lastShown = ((lines.at(-1)?.index ?? -1) + 1) * across - 1;
  useLoadMore({ ...props, lastShown, loaded: rows.length });

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const id = cardIdAt(event.target);
    const at = rows.findIndex((row) => row.id === id);
    const issue = rows[at];
    if (issue === undefined || !(event.target instanceof HTMLAnchorElement)) return;
    if (event.key === 'e') {
      event.preventDefault();
      onEdit(issue);
      return;
    }
    const steps: Record<string, number> = {
      ArrowUp: -across,
      ArrowDown: across,
      ArrowLeft: -1,
      ArrowRight: 1,
    };
    const target = rows[at + (steps[event.key] ?? 0)];
    if (target === undefined || target === issue) return;
    event.preventDefault();
    virtualizer.scrollToIndex(Math.floor((at + (steps[event.key] ?? 0)) / across), { align: 'auto' });
    requestAnimationFrame(() =>
      root.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(target.id)}"] a`)?.focus(),
    );
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys only move the focus between the links inside
    <div ref={root} className="relative" style={{ height: virtualizer.getTotalSize() }} onKeyDown={onKeyDown}>
      {lines.map((line) => (
        <div
          key={line.key}
          ref={virtualizer.measureElement}
          data-index={line.index}
          className="absolute inset-x-0 top-0 grid gap-3"
          style={{
            transform: `translateY(${line.start - top}px)`,
            gridTemplateColumns: `repeat(${across}, minmax(0, 1fr))`,
          }}
        >
          {rows.slice(line.index * across, (line.index + 1) * across).map((issue) => (
            <IssueCard
              key={issue.id}
              issue={issue}
              look={look}
              showStatus={showStatus}
              showBuilding={showBuilding}
              hrefOf={hrefOf}
              onMove={onMove}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

function cardIdAt(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-card]')?.dataset.card : undefined;
}
