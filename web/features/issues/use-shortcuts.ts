import { type RefObject, useEffect, useRef, useState } from 'react';
import { readStored, writeStored } from '../../lib/storage.ts';

const KEY = 'lintel.shortcuts';

/** Single keys can be switched off, for those whose voice or hands type them by accident. */
export function shortcutsOn(): boolean {
  return readStored('local', KEY) !== 'off';
}
export function switchShortcuts(on: boolean): void {
  writeStored('local', KEY, on ? undefined : 'off');
}

type Options = { search: RefObject<HTMLInputElement | null>; onReport: () => void; off: boolean };

/** `/` searches, `c` reports, `?` lists the keys; not while somebody types or a dialog is open. */
export function useShortcuts(options: Options): { listed: boolean; close: () => void } {
  const [listed, setListed] = useState(false);
  const latest = useRef(options);
  latest.current = { ...options, off: options.off || listed };

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const { off, search, onReport } = latest.current;
      if (off || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target)) return;
      // The list itself stays reachable: it is where the keys are switched on again.
      if (event.key === '?') setListed(true);
      else if (!shortcutsOn()) return;
      else if (event.key === '/' && search.current !== null) search.current.focus();
      else if (event.key === 'c') onReport();
      else return;
      event.preventDefault();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return { listed, close: () => setListed(false) };
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [role="listbox"], [role="menu"], [role="dialog"]') !== null)
  );
}
