import { z } from 'zod';
import { messages } from '../../messages.ts';
import { typedText } from '../../text.ts';
import { PHOTOS_MAX } from '../photos.vocabulary.ts';
import { CHECK_NOTES_MAX } from './kinds.vocabulary.ts';

/** What every line of a record has: an id made by the phone, and the ids of photos, which come after it. */
export const entryShape = { id: z.uuid(), photoIds: z.array(z.uuid()).max(PHOTOS_MAX).default([]) };

/** Optional text; nothing typed is null. */
export const notesSchema = typedText()
  .max(CHECK_NOTES_MAX, messages.common.tooLong(CHECK_NOTES_MAX))
  .nullable()
  .default(null)
  .transform((notes) => (notes === '' ? null : notes));
