import { webhookList } from './webhooks.live.ts';

export const liveQueries = [webhookList] as const;
