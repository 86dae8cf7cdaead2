import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { logWordsOf } from '#shared/features/checks/readings.vocabulary.ts';

/** Formats the subtitle of a log: "BS 5839 · one test each week, a different call point each time". */
export function logSubtitle(kind: CheckKind): string {
  const { standard, cadence, subject } = CHECK_VOCABULARY[kind];
  const how =
    logWordsOf(kind).subtitle ??
    `every ${subject.one.toLowerCase()} each ${cadence === 'weekly' ? 'week' : 'month'}`;
  return `${standard} · ${how}`;
}
