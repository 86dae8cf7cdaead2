import { z } from 'zod';

/** A value that the server has sealed for itself, and that a page returns. Sealed values have a few hundred letters. */
export const sealedSchema = z.string().min(1).max(2_000);
