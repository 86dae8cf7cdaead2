import { formatNotKept } from '../labels.ts';

/** Thrown if a form could not be stored on this device; the message gives the reason. */
export class NotKeptError extends Error {
  override name = 'NotKeptError';

  constructor(cause: unknown) {
    super(formatNotKept(cause), { cause });
  }
}
