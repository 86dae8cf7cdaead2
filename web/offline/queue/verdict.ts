import { wireErrorOf } from '../../lib/trpc/wire-error.ts';
import type { QueuedError } from '../types.ts';

/**
 * The consequence of a failed try for the queue (rules O3 and O4). `pause`: the server could not be reached or is busy;
 * everything waits. `later`: perhaps this command's own fault; it waits and the others continue. `refused`: a person must
 * look at the command. `sign-in` and `update`: everything waits until the person signs in or updates the app.
 */
export type Verdict = {
  kind: 'pause' | 'later' | 'refused' | 'sign-in' | 'update';
  error: QueuedError;
  /** The wait for which the server asked. */
  retryAfterMs?: number | undefined;
};

/** Thrown by a sender that does not know a command, because a newer version of the page saved it. */
export class NeedsUpdateError extends Error {
  override name = 'NeedsUpdateError';
}

/** Judges by the error code, never by the text of a message. */
export function verdictFor(error: unknown): Verdict {
  if (error instanceof NeedsUpdateError) return { kind: 'update', error: { code: 'upgrade_required' } };
  const wire = wireErrorOf(error);
  if (wire === undefined) return withoutOurWords(error);
  switch (wire.code) {
    case 'unauthenticated':
      return { kind: 'sign-in', error: wire };
    case 'upgrade_required':
      return { kind: 'update', error: wire };
    case 'busy':
      return { kind: wire.thisOnly === true ? 'later' : 'pause', error: wire };
    case 'rate_limited': {
      const { retryAfterSeconds } = wire;
      return {
        kind: 'pause',
        error: wire,
        retryAfterMs: retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000,
      };
    }
    case 'internal':
      return { kind: 'later', error: wire };
    case 'forbidden':
    case 'reauthentication_required':
    case 'not_found':
    case 'invalid':
    case 'conflict':
    case 'duplicate':
    case 'operation_reused':
    case 'too_large':
    case 'unsupported':
      return { kind: 'refused', error: wire };
    default:
      // A code of a newer server: the answer is a refusal, and its message can be shown to a person.
      return { kind: 'refused', error: wire };
  }
}

// Without one of our error codes, the response was sent by something between this device and the server (a proxy, a
// hotel's sign-in page), or there was no response. A plain 4xx may be about this command alone, so it must not block the
// others.
function withoutOurWords(error: unknown): Verdict {
  const status = statusOf(error);
  const aboutIt = status !== undefined && status >= 400 && status < 500 && ![408, 425, 429].includes(status);
  return { kind: aboutIt ? 'later' : 'pause', error: { code: 'unreachable' } };
}

function statusOf(error: unknown): number | undefined {
  const status = field(field(field(error, 'meta'), 'response'), 'status');
  return typeof status === 'number' ? status : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}
