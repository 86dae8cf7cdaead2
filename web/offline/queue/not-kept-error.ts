import { formatNotKept } from '../labels.ts';

/** A form could not be stored on this device; the message says why. */
export class NotKeptError extends Error {
  override name = 'NotKeptError';

  constructor(cause: unknown) {
    super(formatNotKept(cause), { cause });
  }
}
