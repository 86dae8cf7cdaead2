import { z } from 'zod';
import { messages } from '../../messages.ts';
import { typedText } from '../../text/text.ts';
import { PHOTOS_MAX } from '../photos/photos.vocabulary.ts';
import { CHECK_NOTES_MAX } from './kinds.vocabulary.ts';

/** The fields of every entry: an id made by the device, and the ids of photos, which are uploaded afterwards. */
export const entryShape = { id: z.uuid(), photoIds: z.array(z.uuid()).max(PHOTOS_MAX).default([]) };

/** Optional text; empty text becomes null. */
export const notesSchema = typedText()
  .max(CHECK_NOTES_MAX, messages.common.tooLong(CHECK_NOTES_MAX))
  .nullable()
  .default(null)
  .transform((notes) => (notes === '' ? null : notes));
