import { type RefObject, useEffect } from 'react';
import { isTyping, shortcutsOn } from '../../lib/shortcuts.ts';

/** `/` moves the focus to a search box, unless a field has the focus or a dialog is open. */
export function useSearchShortcut(search: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return;
      if (!shortcutsOn() || isTyping(event.target) || document.querySelector('[role="dialog"]') !== null)
        return;
      event.preventDefault();
      search.current?.focus();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [search]);
}
