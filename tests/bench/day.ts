import type { Child } from '#tests/support/server/child.ts';
import type { CallName } from './call-kinds.ts';
import type { CallerHandlers } from './processes/caller.ts';

/** How often some dozens of people make each call in a day. */
const DAY: Readonly<Record<CallName, number>> = {
  'fire alarm test': 400,
  'round of 12 outlets': 100,
  'report of an issue': 400,
  'move of a card': 1_000,
  comment: 2_000,
  'page of 50 issues': 1_500,
  counts: 1_500,
  me: 1_500,
  'year of a log': 100,
};
const CALLERS = 16;

/**
 * Makes the calls of a day as fast as the server answers.
 * @param share the part of a day
 */
export async function callForADay(
  caller: Pick<Child<CallerHandlers>, 'ask'>,
  url: string,
  share = 1,
): Promise<void> {
  // The cast: Object.entries loses the names.
  for (const [call, times] of Object.entries(DAY) as [CallName, number][]) {
    await caller.ask('run', { url, call, callers: CALLERS, until: { calls: Math.ceil(times * share) } });
  }
}
