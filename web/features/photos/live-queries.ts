import { photosOf } from './photos.live.ts';

export const liveQueries = [photosOf] as const;
