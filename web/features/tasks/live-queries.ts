import {
  oneTask,
  taskHistory,
  taskList,
  taskOverview,
  taskRecord,
  templateOffer,
  templatePreview,
} from './tasks.live.ts';

export const liveQueries = [
  oneTask,
  taskHistory,
  taskList,
  taskOverview,
  taskRecord,
  templateOffer,
  templatePreview,
] as const;
