import type { Lifetime } from '../adapters/auth/sessions.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer for operatives, whose phones may be offline for days; everyone else works at a desk. */
const IN_THE_FIELD: Lifetime = { idleMs: 14 * DAY_MS, absoluteMs: 60 * DAY_MS };
const AT_A_DESK: Lifetime = { idleMs: 12 * HOUR_MS, absoluteMs: 7 * DAY_MS };

/** Returns the idle and absolute lifetime of a session of a person with this stored role. */
export function lifetimeOf(storedRole: string | null): Lifetime {
  return storedRole === 'operative' ? IN_THE_FIELD : AT_A_DESK;
}
