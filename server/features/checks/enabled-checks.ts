import { AppError } from '#shared/errors.ts';
import { CHECK_KINDS, type CheckKind, isOptional } from '#shared/features/checks/kinds.words.ts';

/** Which kinds an operator has switched on, in the order of their cards. */
export type EnabledChecks = readonly CheckKind[];

/** @throws AppError `forbidden` for a kind that is switched off */
export function refuseDisabled(enabled: EnabledChecks, kind: CheckKind): void {
  if (!enabled.includes(kind)) throw new AppError('forbidden');
}

import type { Env } from '../../env.ts';

/** Every kind but those that an operator has to switch on and has not. */
export function enabledChecks({ optionalChecks }: Pick<Env, 'optionalChecks'>): EnabledChecks {
  return CHECK_KINDS.filter((kind) => !isOptional(kind) || optionalChecks.includes(kind));
}
