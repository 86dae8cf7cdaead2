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
