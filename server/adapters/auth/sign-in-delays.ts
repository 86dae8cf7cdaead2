import { setTimeout } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';

/** How many sign-in attempts may wait at the same time in one process. Each is an idle request of some kilobytes. */
const HELD_MAX = 500;

/** Delays sign-in attempts before they are checked. */
export type SignInDelays = {
  /** @throws AppError `rate_limited` if too many attempts wait already */
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
