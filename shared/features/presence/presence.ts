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
/** The place of a window: the subject that it shows, and the part, if any, that its person works on. */
export type PresencePlace = z.infer<typeof placeSchema>;

/**
 * Input of `presence.tell`: the present place of a window; null: none. Each call of a window has a higher `n` than the call
 * before, so that an older call that arrives later is ignored. Stores nothing, so it needs no operation id.
 */
export const tellPresenceInput = z.strictObject({
  /** An id that the window has made. Its live stream sends the same id. */
  window: z.uuid(),
  n: z.int().min(0),
  at: placeSchema.nullable(),
});
export type TellPresenceInput = z.infer<typeof tellPresenceInput>;
