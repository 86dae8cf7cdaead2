// Separate from the schemas, so that a screen can load this file without the validation library.

/** Twenty consonants. Without vowels, a code never spells a word. No letter looks like a digit or like another letter. */
export const CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
export const CODE_LENGTH = 8;
/** How long a code can be entered, in ms (RFC 8628). */
export const CODE_MS = 10 * 60_000;

/** `BCDFGHJK` as `BCDF-GHJK`, as screens show it. */
export function formatCode(code: string): string {
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
}

/** The code in a typed text, which may contain letters of either case and other characters between them. */
export function codeIn(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z]/g, '');
}

/** A display without a beat for this long is marked, in ms. */
export const SILENT_MS = 15 * 60_000;
export const DISPLAY_NAME_MAX = 80;
/** The number of buildings that the product is made for. */
export const DISPLAY_BUILDINGS_MAX = 2_000;
