import type { KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';

const NUMBERS = '[data-row] input[inputmode=decimal]';

/** Enter in a number of a row leads to the next number of the form, after the last one out of it; it never hands in. */
export function nextNumber(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key, nativeEvent } = event;
  if (key !== 'Enter' || nativeEvent.isComposing) return;
  if (!(target instanceof HTMLInputElement) || !target.matches(NUMBERS)) return;
  event.preventDefault();
  // The field is left before its own handlers hear of the key.
  event.stopPropagation();
  // What was typed may ask for one more number in its row: that is there once the field has been left.
  flushSync(() => target.blur());
  const numbers = [...currentTarget.querySelectorAll<HTMLInputElement>(NUMBERS)];
  const next = numbers[numbers.indexOf(target) + 1];
  if (next === undefined) return;
  next.focus();
  next.select();
  next.closest('[data-row]')?.scrollIntoView({ block: 'nearest' });
}
