import { titleOf } from '#shared/features/checks/incidents.vocabulary.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { LOG_RESULT_LABELS } from '#shared/features/checks/log.vocabulary.ts';
import type { LogFilter } from '#shared/features/checks/queries.ts';
import type { LogState } from './log-url.ts';
import { MONTH_NAMES } from './period-name.ts';

/** Converts the state to the server's filter, in canonical form, so that equal filters share one cache entry. */
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

/**
 * Returns the filter in words, for the head of a print.
 * @param siteName the name of the chosen site
 */
export function logFilterNames(state: LogState, siteName: string | undefined): string[] {
  const { building, month, entryKind, result } = state;
  const operative = state.operative.trim();
  const names = [
    building === null ? 'All sites' : siteName,
    month === null ? String(state.year) : `${MONTH_NAMES[month - 1]} ${state.year}`,
    entryKind !== null && titleOf(entryKind),
    result !== null && LOG_RESULT_LABELS[result],
    operative !== '' && `Operative: ${operative}`,
  ];
  return names.filter((name): name is string => typeof name === 'string');
}
