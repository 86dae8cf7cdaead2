import { z } from 'zod';
import { PRESENCE_PARTS } from './presence.vocabulary.ts';

const placeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('issue'),
    id: z.uuid(),
    part: z.enum(PRESENCE_PARTS.issue).optional(),
  }),
  z.strictObject({
    kind: z.literal('check'),
    /** The building's id. */
    id: z.uuid(),
    part: z.enum(PRESENCE_PARTS.check).optional(),
  }),
  z.strictObject({ kind: z.literal('document'), id: z.uuid() }),
]);
/** Where a window is: at one subject, and at work on one part of it or none. */
export type PresencePlace = z.infer<typeof placeSchema>;

/**
 * Input of `presence.tell`: where a window is now; null: nowhere. Each call of a window has a higher `n` than the one
 * before it, so that calls that overtake each other do no harm. Stores nothing, so it needs no operation id.
 */
export const tellPresenceInput = z.strictObject({
  /** An id that the window made for itself; its live stream names the same one. */
  window: z.uuid(),
  n: z.int().min(0),
  at: placeSchema.nullable(),
});
export type TellPresenceInput = z.infer<typeof tellPresenceInput>;
