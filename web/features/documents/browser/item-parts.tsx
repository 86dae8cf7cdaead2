import type { MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import { cx } from '../../../ui/cx.ts';
import { type DocumentItem, type Item, placeOfItem } from '../items.ts';
import { isChangeable, useBrowser } from './browser-context.ts';

/**
 * The name of a row, as a link that covers the row. A click opens the item; with Ctrl or Shift it selects the row, as in a
 * file manager.
 */
export function ItemName({ item, className }: { item: Item; className?: string }) {
  const { hrefOf, extend } = useBrowser();
  function onClick(event: MouseEvent) {
    if (item.kind === 'discipline' || !(event.ctrlKey || event.metaKey || event.shiftKey)) return;
    event.preventDefault();
    extend(item, event.shiftKey);
  }
  return (
    <Link
      to={hrefOf(item)}
      state={item.kind === 'file' ? { opened: true } : undefined}
      data-item-name=""
      // Otherwise the browser would drag the URL of the link instead of the row.
      draggable={false}
      onClick={onClick}
      className={cx(
        'font-medium text-ink outline-none [overflow-wrap:anywhere] after:absolute after:inset-0',
        className,
      )}
    >
      {item.name}
    </Link>
  );
}

/** Makes a row draggable, together with the other selected rows, and a folder a drop target. */
export function useRowDrag(item: Item) {
  const { drag, chosenWith } = useBrowser();
  const place = placeOfItem(item);
  return {
    ...(item.kind !== 'discipline' && isChangeable(item.document) && drag.source(() => chosenWith(item))),
    ...(place !== undefined && drag.target(place)),
  };
}

/**
 * The checkbox of a row; its class places it above the link. Touch screens always show the checkbox; other screens show
 * it while the pointer is on the row or something is selected.
 */
export function ItemCheckbox({ item, className }: { item: DocumentItem; className?: string }) {
  const { selected, toggle } = useBrowser();
  return (
    <label
      className={cx(
        'z-[1] grid size-7 place-items-center rounded-control pointer-coarse:size-12',
        selected.size === 0 &&
          'pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100',
        className,
      )}
    >
      <input
        type="checkbox"
        aria-label={`Select ${item.name}`}
        checked={selected.has(item.id)}
        onChange={(event) => toggle(item, event.target.checked)}
        className="block size-4 accent-brand"
      />
    </label>
  );
}
