import { assertNever } from '#shared/assert-never.ts';
import { advisedBy, type WireError } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';
import { wireErrorOf } from './wire-error.ts';

/**
 * The sentence for an error. The screen passes its own as fallback; a code with a more specific sentence (busy, too
 * many attempts, a reference to look up) takes precedence.
 */
export function messageFor(error: unknown, fallback: string): string {
  const wire = wireErrorOf(error);
  return wire === undefined ? fallback : sentence(wire, fallback);
}

function sentence(wire: WireError, fallback: string): string {
  switch (wire.code) {
    case 'internal':
      return wire.reference === undefined
        ? fallback
        : `${fallback}. ${messages.common.internal(wire.reference)}`.replace('..', '.');
    case 'rate_limited':
      return wire.message ?? messages.common.rateLimited(wire.retryAfterSeconds ?? 60);
    case 'busy':
      return wire.message ?? messages.common.busy;
    case 'unauthenticated':
      return wire.message ?? messages.session.ended;
    case 'forbidden':
      return wire.message ?? messages.common.forbidden;
    case 'reauthentication_required':
      return wire.message ?? messages.common.notConfirmed;
    case 'too_large':
      return wire.message ?? messages.common.tooLarge;
    case 'upgrade_required':
      return wire.message ?? messages.common.upgradeRequired;
    case 'operation_reused':
      return wire.message ?? messages.common.operationReused;
    case 'not_found':
    case 'invalid':
    case 'conflict':
    case 'duplicate':
    case 'unsupported':
      return wire.message ?? advisedBy(wire.code, fallback);
    default:
      return assertNever(wire.code);
  }
}

/**
 * The sentences per field of a refused form, by field path. If there are any, they are shown at their fields and no
 * toast repeats them.
 */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const wire = wireErrorOf(error);
  if (wire?.code !== 'invalid' || wire.fields === undefined) return {};
  return Object.fromEntries(
    Object.entries(wire.fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
