import type { KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';

const NUMBERS = '[data-row] input[inputmode=decimal]';

/**
 * Handles Enter in a number field of a row: moves to the next number field, or blurs the last one. Enter never submits.
 */
export function nextNumber(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key, nativeEvent } = event;
  if (key !== 'Enter' || nativeEvent.isComposing) return;
  if (!(target instanceof HTMLInputElement) || !target.matches(NUMBERS)) return;
  event.preventDefault();
  // The field's own handlers must not act on the key after it has lost the focus.
  event.stopPropagation();
  // Blurring may render another number field in the row, so it is flushed before the next field is looked up.
  flushSync(() => target.blur());
  const numbers = [...currentTarget.querySelectorAll<HTMLInputElement>(NUMBERS)];
  const next = numbers[numbers.indexOf(target) + 1];
  if (next === undefined) return;
  next.focus();
  next.select();
  next.closest('[data-row]')?.scrollIntoView({ block: 'nearest' });
}
