import { z } from 'zod';
import { messages } from '../../messages.ts';
import { typedText } from '../../text.ts';
import { PHOTOS_MAX } from '../photos.words.ts';
import { waterTemperatureMessages } from './kind-messages.ts';
import { CHECK_NOTES_MAX } from './kinds.words.ts';

/** What every line of a record has: an id made by the phone, and the ids of photos, which come after it. */
export const lineShape = { id: z.uuid(), photoIds: z.array(z.uuid()).max(PHOTOS_MAX).default([]) };

/** Optional text; nothing typed is null. */
export const notesSchema = typedText()
  .max(CHECK_NOTES_MAX, messages.common.tooLong(CHECK_NOTES_MAX))
  .nullable()
  .default(null)
  .transform((notes) => (notes === '' ? null : notes));

const celsius = waterTemperatureMessages;

/** A reading, °C, with at most one decimal place. */
export const celsiusSchema = z
  .number({
    error: ({ input }) =>
      input === undefined || input === null || input === '' ? celsius.required : celsius.notNumber,
  })
  .min(0, celsius.range)
  .max(100, celsius.range)
  .multipleOf(0.1, celsius.step);
