import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { type LogKind, logOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_KINDS, type CheckKind, isOptional } from '#shared/features/checks/kinds.vocabulary.ts';
import type { Env } from '../../kernel/env.ts';

/** Which kinds an operator has switched on, in the order of their cards. */
export type EnabledChecks = readonly CheckKind[];

/** Every kind but those that an operator has to switch on and has not. */
export function enabledChecks({ optionalChecks }: Pick<Env, 'optionalChecks'>): EnabledChecks {
  return CHECK_KINDS.filter((kind) => !isOptional(kind) || optionalChecks.includes(kind));
}

/** @throws AppError `forbidden` for a kind that is switched off, or that stands in the log of such a kind */
export function assertEnabled(enabled: EnabledChecks, kind: LogKind): void {
  if (!enabled.includes(logOf(kind))) {
    throw new AppError('forbidden', { message: checkMessages.switchedOff });
  }
}
