import { type RefObject, useEffect, useRef, useState } from 'react';
import { isTyping, shortcutsOn } from '../../lib/shortcuts.ts';

type Options = { search: RefObject<HTMLInputElement | null>; onReport: () => void; off: boolean };

/**
 * Shortcuts of the issues page: `/` searches, `c` reports, `?` lists the keys. Inactive while a field has the focus or
 * a dialog is open.
 */
export function useShortcuts(options: Options): { listed: boolean; close: () => void } {
  const [listed, setListed] = useState(false);
  const latest = useRef(options);
  latest.current = { ...options, off: options.off || listed };

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const { off, search, onReport } = latest.current;
      if (off || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target)) return;
      // The list can always be opened, because it contains the switch that turns the shortcuts on again.
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
