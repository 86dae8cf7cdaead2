import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { LogFilter } from '#shared/features/checks/queries.ts';
import type { LogState } from './log-url.ts';

/** Returns the filter as the server takes it, in canonical form, so that equal filters share one cache entry. */
export function logFilterOf(kind: CheckKind, state: LogState): LogFilter {
  const operative = state.operative.trim();
  return {
    kind,
    year: state.year,
    ...(state.month === null ? {} : { month: state.month }),
    ...(state.building === null ? {} : { buildingId: state.building }),
    ...(state.result === null ? {} : { result: state.result }),
    ...(state.entryKind === null ? {} : { entryKind: state.entryKind }),
    ...(operative === '' ? {} : { operative }),
  };
}
