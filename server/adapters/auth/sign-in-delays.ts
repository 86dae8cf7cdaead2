import { setTimeout } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';

/** Sign-ins that are held up at once, in one process. Each is a request without work: some kilobytes. */
const HELD_MAX = 500;

/** Lets somebody wait before their sign-in is looked at. */
export type SignInDelays = {
  /** @throws AppError `rate_limited` where too many wait already */
  wait(ms: number): Promise<void>;
};

export function createSignInDelays(heldMax = HELD_MAX): SignInDelays {
  let held = 0;
  return {
    async wait(ms) {
      if (ms <= 0) return;
      if (held >= heldMax) {
        const retryAfterSeconds = Math.ceil(ms / 1_000);
        throw new AppError('rate_limited', {
          data: { retryAfterSeconds },
          message: messages.common.rateLimited(retryAfterSeconds),
        });
      }
      held += 1;
      try {
        await setTimeout(ms);
      } finally {
        held -= 1;
      }
    },
  };
}
