import { displayList } from './displays.live.ts';

export const liveQueries = [displayList] as const;
