import { pulseList, pulseSummary } from './pulse.live.ts';

/** The feature's live queries, for the registry in `web/app/live-queries.ts`. */
export const liveQueries = [pulseSummary, pulseList] as const;
