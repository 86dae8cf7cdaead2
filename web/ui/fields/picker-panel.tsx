import { useVirtualizer } from '@tanstack/react-virtual';
import { Check, Search } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../buttons/button.tsx';
import { cx } from '../cx.ts';
import { Badge } from '../feedback/badge.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { controlStyle } from './field.tsx';
import { findOptions, type PickerRow, searchable } from './find-options.ts';
import type { PickerProps } from './picker-props.ts';

type Props = PickerProps & { listId: string; onChoose: (id: string) => void };

const PAGE = 8;

/** The lazily loaded part of `Picker`; use `Picker` instead. Only visible rows are rendered, however many rows there are. */
export default function PickerPanel(props: Props) {
  const { options, value, searchLabel, nothingFound, status = 'ready', listId, onChoose } = props;
  const [search, setSearch] = useState('');
  const deferred = useDeferredValue(search);
  const index = useMemo(() => searchable(options), [options]);
  const rows = useMemo(() => findOptions(index, deferred), [index, deferred]);
  const choices = useMemo(() => rows.flatMap((row, at) => (row.kind === 'option' ? [at] : [])), [rows]);
  const [active, setActive] = useState<number>(() =>
    Math.max(
      0,
      options.findIndex((option) => option.id === value),
    ),
  );
  const scroller = useRef<HTMLDivElement>(null);

  const at = choices[Math.min(active, choices.length - 1)];
  const [coarse] = useState(() => matchMedia('(pointer: coarse)').matches);
  const rowHeight = coarse ? 48 : 36;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (row) => (rows[row]?.kind === 'group' ? 30 : rowHeight),
    overscan: 6,
  });

  useEffect(() => {
    if (at !== undefined) virtualizer.scrollToIndex(at, { align: 'auto' });
  }, [at, virtualizer]);

  function onKeyDown(event: KeyboardEvent) {
    const last = choices.length - 1;
    const moves: Record<string, number> = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      Home: 0,
      End: last,
      PageDown: Math.min(last, active + PAGE),
      PageUp: Math.max(0, active - PAGE),
    };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setActive(Math.max(0, next));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const row = at === undefined ? undefined : rows[at];
      if (row?.kind === 'option') onChoose(row.option.id);
    }
  }

  return (
    <div className="grid">
      <div className="relative p-2">
        <Search size={16} aria-hidden className="absolute top-1/2 left-5 -translate-y-1/2 text-ink-3" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the person has just opened this to search in it
          autoFocus
          type="text"
          role="combobox"
          aria-label={searchLabel}
          aria-expanded
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={at === undefined ? undefined : `${listId}-${at}`}
          placeholder={searchLabel}
          autoComplete="off"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
          className={cx(controlStyle, 'h-9 pl-9 pointer-coarse:h-12')}
        />
      </div>
      {status === 'loading' && (
        <div className="grid gap-2 p-3 pt-1">
          <Skeleton className="h-6" />
          <Skeleton className="h-6 w-4/5" />
          <Skeleton className="h-6 w-3/5" />
        </div>
      )}
      {status === 'error' && (
        <div role="alert" className="grid justify-items-start gap-2 p-4 pt-1 text-bad">
          {props.errorText}
          {props.onRetry !== undefined && (
            <Button size="sm" onClick={props.onRetry}>
              Try again
            </Button>
          )}
        </div>
      )}
      {status === 'ready' && rows.length === 0 && <p className="p-4 pt-1 text-ink-2">{nothingFound}</p>}
      <div
        ref={scroller}
        id={listId}
        role="listbox"
        aria-label={props.label}
        className="max-h-[min(20rem,55dvh)] overflow-y-auto overscroll-contain px-2 pb-2"
      >
        <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <Row
                key={item.key}
                id={`${listId}-${item.index}`}
                row={row}
                top={item.start}
                height={item.size}
                active={item.index === at}
                chosen={row.kind === 'option' && row.option.id === value}
                onChoose={onChoose}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

type RowProps = {
  id: string;
  row: PickerRow;
  top: number;
  height: number;
  active: boolean;
  chosen: boolean;
  onChoose: (id: string) => void;
};

function Row({ id, row, top, height, active, chosen, onChoose }: RowProps) {
  const place = { height, transform: `translateY(${top}px)` };
  if (row.kind === 'group') {
    return (
      <div
        role="presentation"
        className="absolute inset-x-0 top-0 flex items-end truncate px-2.5 pb-1 font-semibold text-ink-3 text-xs"
        style={place}
      >
        {row.name}
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search box handles the keys of the whole list
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the search box (aria-activedescendant)
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      aria-label={[row.option.label, row.option.mark?.text, row.option.group].filter(Boolean).join(', ')}
      // Keeps the focus in the search box while the pointer chooses.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(row.option.id)}
      className={cx(
        'absolute inset-x-0 top-0 flex cursor-pointer items-center gap-2.5 rounded-control px-2.5 text-base hover:bg-mute pointer-coarse:text-md',
        active && 'bg-mute',
      )}
      style={place}
    >
      <span className="min-w-0 flex-1 truncate">
        {row.option.label}
        {row.option.detail !== undefined && <span className="ml-2 text-ink-3">{row.option.detail}</span>}
      </span>
      {row.option.mark !== undefined && <Badge tone={row.option.mark.tone}>{row.option.mark.text}</Badge>}
      {chosen && <Check size={16} aria-hidden className="text-brand" />}
    </div>
  );
}
