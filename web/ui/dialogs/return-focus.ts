/**
 * The element that gets the focus back when a dialog closes. Headless UI restores the focus while the page behind the
 * dialog is still inert, so the focus moves to the body instead.
 * @param active the focused element when the dialog opens
 * @returns the element; for an item of a menu, the menu's button, because the item no longer exists when the dialog
 *   closes
 */
export function openerOf(active: Element | null): HTMLElement | undefined {
  const menu = active?.closest('[role="menu"]');
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active;
  return opener instanceof HTMLElement && opener !== document.body ? opener : undefined;
}

/** Restores the focus when the page can take it, unless another element already has the focus. */
export function focusAfterClose(opener: HTMLElement | undefined): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    if (opener?.isConnected === true) opener.focus({ preventScroll: true });
    else document.querySelector('main')?.focus({ preventScroll: true });
  });
}
