import { type RefObject, useEffect } from 'react';
import { readStored, writeStored } from './storage.ts';

const KEY = 'lintel.shortcuts';

/**
 * Returns whether single-key shortcuts are on. They can be turned off by people who trigger them by accident, for
 * example with voice input.
 */
export function shortcutsOn(): boolean {
  return readStored('local', KEY) !== 'off';
}
/** Turns single-key shortcuts on or off on this device. */
export function switchShortcuts(on: boolean): void {
  writeStored('local', KEY, on ? undefined : 'off');
}

/** Whether keys go to a field, a list or a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [role="listbox"], [role="menu"], [role="dialog"]') !== null)
  );
}

/** `/` moves the focus to a search box, unless a field has it or a dialog is open. */
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
