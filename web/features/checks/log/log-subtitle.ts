import { CHECK_WORDS, type CheckKind } from '#shared/features/checks/kinds.words.ts';

const HOW: Partial<Record<CheckKind, string>> = {
  fire_alarm_test: 'one test each week, a different call point each time',
  water_temperature_check: 'the outlets of each site every month, each against its own limit',
};

/** "BS 5839 · one test each week, a different call point each time". */
export function logSubtitle(kind: CheckKind): string {
  const { standard, cadence, subject } = CHECK_WORDS[kind];
  const how =
    HOW[kind] ?? `every ${subject.one.toLowerCase()} each ${cadence === 'weekly' ? 'week' : 'month'}`;
  return `${standard} · ${how}`;
}
