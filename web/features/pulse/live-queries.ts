import { pulseList, pulseSummary, upkeep } from './pulse.live.ts';

/** The feature's live queries, for the registry in `web/app/live-queries.ts`. */
export const liveQueries = [pulseSummary, pulseList, upkeep] as const;
