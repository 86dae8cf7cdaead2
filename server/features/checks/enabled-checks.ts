import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { type LogKind, logOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_KINDS, type CheckKind, isOptional } from '#shared/features/checks/kinds.vocabulary.ts';
import type { Env } from '../../kernel/env.ts';

/** The kinds that are enabled, in the order of their cards. */
export type EnabledChecks = readonly CheckKind[];

/** Returns all kinds except optional ones that the operator has not enabled. */
export function enabledChecks({ optionalChecks }: Pick<Env, 'optionalChecks'>): EnabledChecks {
  return CHECK_KINDS.filter((kind) => !isOptional(kind) || optionalChecks.includes(kind));
}

/** @throws AppError `forbidden` for a disabled kind, or an incident in the log of one */
export function assertEnabled(enabled: EnabledChecks, kind: LogKind): void {
  if (!enabled.includes(logOf(kind))) {
    throw new AppError('forbidden', { message: checkMessages.switchedOff });
  }
}
