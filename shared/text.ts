import { z } from 'zod';
import { messages } from './messages.ts';

// A NUL, which no text of the database can hold, and halves of characters, which it would change without a word.
const UNSTORABLE = /[\0\p{Cs}]/u;

/** Trimmed text that people type, and that comes back exactly as it was stored. */
export function typedText() {
  return z
    .string()
    .trim()
    .refine((text) => !UNSTORABLE.test(text), messages.common.unstorable);
}
