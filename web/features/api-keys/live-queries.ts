import { apiKeyList } from './api-keys.live.ts';

export const liveQueries = [apiKeyList] as const;
