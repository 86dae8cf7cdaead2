import { z } from 'zod';

/** The schema of one changed field of an edit: the value that the person saw and the new value (rule S6). */
export function fromTo<To extends z.ZodType, From extends z.ZodType>(to: To, from: From) {
  return z.strictObject({ from, to });
}
