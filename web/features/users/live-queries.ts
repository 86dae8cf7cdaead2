import { disciplines } from './disciplines.live.ts';
import { myNotices } from './notices.live.ts';
import { people, roleHistory, sessionList } from './people.live.ts';

export const liveQueries = [disciplines, myNotices, people, roleHistory, sessionList] as const;
