import { oneTask, taskHistory, taskList, taskOverview, taskRecord, templateOffer } from './tasks.live.ts';

export const liveQueries = [oneTask, taskHistory, taskList, taskOverview, taskRecord, templateOffer] as const;
