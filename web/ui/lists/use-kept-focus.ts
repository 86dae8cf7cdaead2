import { type RefCallback, useCallback } from 'react';

type Held = { control: Element; id: string; place: number };

/**
 * Keeps the focus in a list of rows. When the focused control disappears, because its row has changed or left the list, a
 * browser moves the focus to the top of the page. Instead the first link of the row gets the focus, or the first link of
 * the row that has taken its place.
 * @param attribute the attribute of a row that contains the row's id
 * @returns the ref of the element around the rows, which stays when the last row disappears
 */
export function useKeptFocus(attribute: `data-${string}`): RefCallback<HTMLElement> {
  return useCallback(
    (list: HTMLElement | null) => {
      if (list === null) return;
      const rowsIn = () => [...list.querySelectorAll(`[${attribute}]`)];
      let held: Held | undefined;

      const onFocusIn = ({ target }: FocusEvent) => {
        const row = target instanceof Element ? target.closest(`[${attribute}]`) : null;
        held =
          target instanceof Element && row !== null && list.contains(row)
            ? { control: target, id: row.getAttribute(attribute) ?? '', place: rowsIn().indexOf(row) }
            : undefined;
      };
      const observer = new MutationObserver(() => {
        if (held === undefined || held.control.isConnected) return;
        const { id, place } = held;
        held = undefined;
        if (document.activeElement !== document.body) return;
        const rows = rowsIn();
        const row =
          rows.find((each) => each.getAttribute(attribute) === id) ?? rows[Math.min(place, rows.length - 1)];
        const link = row?.querySelector<HTMLElement>('a[href]') ?? document.querySelector('main');
        link?.focus({ preventScroll: true });
      });
      document.addEventListener('focusin', onFocusIn);
      observer.observe(list, { childList: true, subtree: true });
      return () => {
        document.removeEventListener('focusin', onFocusIn);
        observer.disconnect();
      };
    },
    [attribute],
  );
}
