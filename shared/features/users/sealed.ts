import { z } from 'zod';

/** A value that the server has sealed, so that only it can read the value, and that a page returns. A few hundred letters. */
export const sealedSchema = z.string().min(1).max(2_000);
